"""Headless Chromium, driven by the WebDriver protocol (https://www.w3.org/TR/webdriver2/)."""

import json
import subprocess
import time
import urllib.error
import urllib.request

from package import Failure


class Driver:
    """chromedriver, for any number of browsers."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for line in self.process.stdout:
            if "started successfully on port" in line:
                self.base = f"http://127.0.0.1:{line.rstrip().rstrip('.').split()[-1]}"
                return
        raise Failure("chromedriver does not start")

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise Failure(f"{method} {path}: {json.load(error)['value']['message']}") from error

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=30)


class Browser:
    def __init__(self, driver, url):
        self.driver = driver
        # Programs in containers may not be able to use a sandbox.
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]}
        capabilities = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options}}
        self.path = "/session/" + driver.call("POST", "/session", {"capabilities": capabilities})["sessionId"]
        self.open(url)

    def open(self, url):
        self.driver.call("POST", self.path + "/url", {"url": url})

    def run(self, script, *arguments):
        """The value that a script returns."""
        return self.driver.call("POST", self.path + "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return list(self.driver.call("POST", self.path + "/element", {"using": "css selector", "value": selector}).values())[0]

    def click(self, selector):
        self.driver.call("POST", f"{self.path}/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        """Types a text that replaces the existing one."""
        element = f"{self.path}/element/{self.find(selector)}"
        self.driver.call("POST", element + "/clear", {})
        self.driver.call("POST", element + "/value", {"text": text})

    def wait(self, script, expected, seconds=30):
        """Returns whether a script returns a value before the time is over."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(script) == expected:
                return True
            time.sleep(0.05)
        return False

    def end(self):
        self.driver.call("DELETE", self.path)
