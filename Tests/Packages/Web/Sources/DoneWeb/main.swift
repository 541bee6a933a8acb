import DoneList
import FlyingFox
import Foundation

// `DoneWeb PORT PATH` serves the list of the store at a path to browsers of this machine, and shows it in the terminal.

guard CommandLine.arguments.count == 3, let port = UInt16(CommandLine.arguments[1]) else {
    FileHandle.standardError.write(Data("usage: DoneWeb PORT PATH\n".utf8))
    exit(64)
}
let list = try DoneList(at: CommandLine.arguments[2])
let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)

await server.appendRoute("GET /") { _ in
    HTTPResponse(
        statusCode: .ok,
        headers: [.contentType: "text/html; charset=utf-8"],
        body: Data(PackageResources.index_html)
    )
}
await server.appendRoute("GET /events") { _ in
    HTTPResponse(
        statusCode: .ok,
        headers: [.contentType: "text/event-stream", HTTPHeader("Cache-Control"): "no-store"],
        body: HTTPBodySequence(from: await ServerSentEvents(of: list))
    )
}
await server.appendRoute("GET /list") { _ in
    let data = try await JSONEncoder().encode(ListMessage(list.snapshot, of: list))
    return HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: data)
}
await server.appendRoute("POST /items") { request in
    try await list.add(request.bodyText)
    return HTTPResponse(statusCode: .noContent)
}
await server.appendRoute("POST /items/:id/toggle") { (id: String) in
    try await list.toggle(Int64(id) ?? 0)
    return HTTPResponse(statusCode: .noContent)
}
await server.appendRoute("POST /items/:id/name") { (request: HTTPRequest, id: String) in
    try await list.rename(Int64(id) ?? 0, to: request.bodyText)
    return HTTPResponse(statusCode: .noContent)
}
await server.appendRoute("DELETE /items/:id") { (id: String) in
    try await list.delete(Int64(id) ?? 0)
    return HTTPResponse(statusCode: .noContent)
}

let serving = Task { try await server.run() }
try await server.waitUntilListening()
let terminal = Terminal(list)
let following = Task { await terminal.follow() }
// Without a terminal, the program serves until it is terminated.
if try await !terminal.runCommands() { try await serving.value }

extension HTTPRequest {
    fileprivate var bodyText: String {
        get async throws { String(decoding: try await bodyData, as: UTF8.self) }
    }
}
