#!/usr/bin/env python3
"""Checks the built server: all routes, live events, concurrent changes, an import, SIGTERM, a second start.

usage: check.py FOLDER [STRING]

FOLDER is the folder of the built program 'Server'. With a connection string, two processes use one store on this
PostgreSQL server, which must not have a schema 'shop'.
"""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from decimal import Decimal

SECONDS = 60  # for one response, and for a start or a stop of the server


class Failure(Exception):
    """A sentence about what is wrong."""


def expect(condition, message):
    if not condition:
        raise Failure(message)


def parse(text):
    """JSON with exact numbers."""
    return json.loads(text, parse_float=Decimal)


class Server:
    """A running server, with the store at a path."""

    def __init__(self, program, store):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [program, store, "--port", str(self.port)],
            stdin=subprocess.DEVNULL,
            env=dict(os.environ, LOG_LEVEL="warning"),
        )
        try:
            self.wait_until_listening()
        except BaseException:
            self.kill()
            raise

    def wait_until_listening(self):
        deadline = time.monotonic() + SECONDS
        while True:
            expect(self.process.poll() is None, f"the server ended with code {self.process.returncode} at its start")
            expect(time.monotonic() < deadline, f"the server does not listen after {SECONDS} seconds")
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)

    def send(self, method, path, body=None):
        """Sends a request, with a value as JSON or with an iterator of lines, and returns the status and the value."""
        connection = self.connect()
        try:
            is_stream = body is None or hasattr(body, "__next__")
            connection.request(method, path, body=body if is_stream else json.dumps(body).encode())
            response = connection.getresponse()
            text = response.read().decode()
            return response.status, parse(text) if text else None
        finally:
            connection.close()

    def get(self, path, body=None, method="GET", status=200):
        """Sends a request, and returns the value of the response, which has to have a status."""
        actual, value = self.send(method, path, body)
        expect(actual == status, f"{method} {path} was answered with {actual} {value}, not with {status}")
        return value

    def post(self, path, body, status=201):
        return self.get(path, body, "POST", status)

    def patch(self, path, body, status=200):
        return self.get(path, body, "PATCH", status)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            raise Failure(f"the server runs {SECONDS} seconds after SIGTERM") from None
        expect(code == 0, f"the server ended with code {code} after SIGTERM")

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class LiveOrders:
    """The events of 'GET /orders/live' from now on."""

    def __init__(self, server):
        self.connection = server.connect()
        self.connection.request("GET", "/orders/live")
        self.response = self.connection.getresponse()
        kind = self.response.getheader("Content-Type")
        expect((self.response.status, kind) == (200, "text/event-stream"), f"the events have type {kind}")

    def next(self):
        """Returns the order of the next event; None at the end of the stream."""
        fields = {}
        while True:
            line = self.response.readline().decode()
            if not line:
                self.connection.close()
                return None
            if line == "\n":
                expect(fields.get("event") == "order", f"an event has the fields {fields}")
                return parse(fields["data"])
            name, _, value = line.rstrip("\n").partition(": ")
            fields[name] = value


def pages(server, path, limit):
    """Returns all objects of a list, page by page."""
    objects = []
    while True:
        page = server.get(f"{path}?limit={limit}&offset={len(objects)}")
        objects += page
        if len(page) < limit:
            return objects


def stock(server, product):
    return next(each["stock"] for each in pages(server, "/products", 100) if each["objectID"] == product)


def check_catalog(server):
    ada = server.post("/customers", {"name": "Ada", "email": "ada@example.com"})
    expect((ada["name"], ada["email"]) == ("Ada", "ada@example.com"), f"the customer is {ada}")
    server.post("/customers", {"name": "Ada", "email": "ada@example.com"}, status=409)
    server.post("/customers", {"name": "Ada"}, status=400)
    expect(server.get("/customers") == [ada], "the list of customers is not the customer")
    tea = server.post("/products", {"name": "Tea", "price": 4.35, "stock": 100})
    expect((tea["price"], tea["stock"]) == (Decimal("4.35"), 100), f"the product is {tea}")
    cup = server.post("/products", {"name": "Cup", "price": 12})
    expect(server.get("/products") == [cup, tea], "the list of products is not the two products, sorted by name")
    return ada["objectID"], tea["objectID"], cup["objectID"]


def check_stock(servers, product):
    """Changes the stock from several threads; a change whose attempts were all in conflict is sent again."""
    server = servers[0]
    before = stock(server, product)
    workers, rounds = 8, 15
    problems = []

    def work(server):
        try:
            for _ in range(rounds):
                for _ in range(20):
                    status, value = server.send("PATCH", f"/products/{product}/stock", {"change": 2})
                    if status == 200:
                        break
                    expect(status == 409, f"a change of the stock was answered with {status} {value}")
                else:
                    raise Failure("a change of the stock was in conflict 20 times")
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(servers[i % len(servers)],)) for i in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]
    after, wanted = stock(server, product), before + 2 * workers * rounds
    expect(after == wanted, f"the stock is {after} after concurrent changes, not {wanted}")
    server.patch(f"/products/{product}/stock", {"change": -after - 1}, status=409)
    server.patch(f"/products/{product}/stock", {"change": 2**63 - 1}, status=409)
    server.patch("/products/987654321/stock", {"change": 1}, status=404)
    server.patch("/products/tea/stock", {"change": 1}, status=400)
    expect(server.patch(f"/products/{product}/stock", {"change": -40})["stock"] == after - 40, "the stock is wrong")


def check_orders(servers, customer, tea, cup):
    """Places orders at the first server, and reads the events of the last one."""
    server, other = servers[0], servers[-1]

    def order(*lines, status=201, buyer=customer):
        lines = [{"product": product, "quantity": quantity} for product, quantity in lines]
        return server.post("/orders", {"customer": buyer, "lines": lines}, status)

    LiveOrders(other).connection.close()
    live = LiveOrders(other)
    before = stock(server, tea)
    placed = [order((tea, 3), (tea, 2))]
    expect((placed[0]["customer"], placed[0]["status"]) == (customer, "open"), f"the order is {placed[0]}")
    expect(stock(server, tea) == before - 5, "the order did not change the stock by 5")
    # The stock of cups is 0. A rejected order changes nothing, and is not an event.
    order((tea, 1), (cup, 1), status=409)
    order((tea, before), status=409)
    order((987654321, 1), status=404)
    order((tea, 1), status=404, buyer=987654321)
    order((tea, 0), status=400)
    order(status=400)
    expect(stock(server, tea) == before - 5, "a rejected order changed the stock")
    placed += [order((tea, 1)) for _ in range(4)]
    for one in placed:
        event = live.next()
        expect(event == one, f"the event is {event}, and the order is {one}")
    listed = [each["objectID"] for each in pages(server, "/orders", 2)]
    expect(listed == [each["objectID"] for each in reversed(placed)], f"the pages of orders have {listed}")
    return live


def check_import(server):
    def lines(count, wrong=None):
        for number in range(1, count + 1):
            product = {"name": f"Product {number}", "price": number / 100, "stock": number}
            yield (b"nonsense" if number == wrong else json.dumps(product).encode()) + b"\n"

    def count():
        return len(pages(server, "/products", 100))

    before = count()
    result = server.post("/import", lines(5_000), status=200)
    expect(result == {"imported": 5_000}, f"the import was answered with {result}")
    expect(count() == before + 5_000, f"the import inserted {count() - before} products")
    expect(len(server.get("/products?limit=1000")) == 100, "a page has not 100 products")
    # The complete chunk before the wrong line is inserted.
    server.post("/import", lines(1_500, wrong=1_200), status=400)
    expect(count() == before + 6_000, f"both imports inserted {count() - before} products")


def check(program, connection_string):
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        store = connection_string or os.path.join(folder, "shop.sqlite")

        def start():
            server = Server(program, store)
            stack.callback(server.kill)
            return server

        servers = [start() for _ in range(2 if connection_string else 1)]
        customer, tea, cup = check_catalog(servers[0])
        check_stock(servers, tea)
        live = check_orders(servers, customer, tea, cup)
        check_import(servers[0])
        expected = stock(servers[-1], tea)
        # A stream that is open does not delay the stop.
        for server in reversed(servers):
            server.stop()
        expect(live.next() is None, "the stream of orders did not end with the server")
        server = start()
        expect([each["objectID"] for each in server.get("/customers")] == [customer], "the customer is missing")
        expect(len(server.get("/orders")) == 5, "orders are missing after the second start")
        expect(stock(server, tea) == expected, "the stock is wrong after the second start")
        server.stop()


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    connection_string = sys.argv[2] if len(sys.argv) == 3 else None
    try:
        check(os.path.abspath(os.path.join(sys.argv[1], "Server")), connection_string)
    except (Failure, OSError, http.client.HTTPException, ValueError) as error:
        print(f"check.py: {error}", file=sys.stderr)
        sys.exit(1)
    print(
        f"checked with {'two servers on PostgreSQL' if connection_string else 'a file'}: customers, products, 120 concurrent changes of a stock, orders with live events, an import of 5,000 "
        "products, SIGTERM, a second start"
    )


if __name__ == "__main__":
    main()
