import Chordata
import Contest

/// Measures the throughput of parsing many short formats, as programs use them, and one long format.
func benchmarkParsing(rounds: Int) throws {
    let formats = [
        "name == 'Jo'", "age >= 18 AND age < 65", "team.city ==[cd] 'ulm' OR team == nil",
        "ANY pupils.name BEGINSWITH[c] 'a'", "NOT (active == YES) AND born < now()",
        "SUBQUERY(pupils, $p, $p.age > 30 AND $p.team.name == 'Reds').@count > 2",
        "points + 2 * age > 100 && price BETWEEN {1.5, 20}", "name IN {'Al', 'Jo', 'Mo', 'Bo', 'Flo'}",
        "pupils.@avg.score > 1.25 || length:(name) == 3", "name LIKE '*o?' AND nick != nil",
    ]
    let rows = 1_000
    let bytes = formats.reduce(0) { $0 + $1.utf8.count } * rows
    var contestants = [
        Contest.Contestant(name: "FetchPredicate(format:), 10 short") {
            var count = 0
            for _ in 0..<rows {
                for format in formats { count += try FetchPredicate(format: format) == .true ? 0 : 1 }
            }
            return count
        }
    ]
    try Contest(title: "Parsing", unit: "bytes", count: bytes, contestants: contestants).run(rounds: rounds)

    let long = (0..<5_000).map { "points == \($0)" }.joined(separator: " OR ")
    contestants = [
        Contest.Contestant(name: "FetchPredicate(format:), 5,000 ORs") {
            try FetchPredicate(format: long) == .true ? 0 : 1
        }
    ]
    try Contest(title: "Parsing", unit: "bytes", count: long.utf8.count, contestants: contestants).run(rounds: rounds)

    let hostile = String(repeating: "(", count: 100_000)
    contestants = [
        Contest.Contestant(name: "100,000 parentheses, refused") {
            (try? FetchPredicate(format: hostile)) == nil ? 1 : 0
        },
        Contest.Contestant(name: "100,000 ORs, refused") {
            (try? FetchPredicate(format: Array(repeating: "a", count: 100_000).joined(separator: "=1 OR "))) == nil
                ? 1 : 0
        },
    ]
    try Contest(title: "Refusing", unit: "bytes", count: hostile.utf8.count, contestants: contestants).run(
        rounds: rounds
    )
}
