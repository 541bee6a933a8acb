import Chordata
import ChordataPredicate
import ChordataTestSupport
import Foundation
import Testing

struct TypedPredicateTests {
    private func player(_ predicate: TypedPredicate<Player>) -> String { printed(FetchPredicate(predicate).node) }
    private func team(_ predicate: TypedPredicate<Team>) -> String { printed(FetchPredicate(predicate).node) }
    private func request(_ request: FetchRequest<Player>) -> String { request.predicate.map { printed($0.node) } ?? "" }
    private func request(_ request: FetchRequest<Team>) -> String { request.predicate.map { printed($0.node) } ?? "" }

    @Test func manual() {
        expectEqual(
            request(Player.fetchRequest().where(\.age >= 18 && \.team?.city == "Ulm")),
            "(age >= 18 AND team.city == 'Ulm')"
        )
        expectEqual(
            request(Player.fetchRequest().where(18..<30 ~= \.age || ["Jo", "Al"] ~= \.name)),
            "((age >= 18 AND age < 30) OR name IN {'Jo', 'Al'})"
        )
        expectEqual(
            request(Player.fetchRequest().where(.contains(\.name, "an", .caseInsensitive) && \.team != nil)),
            "(name CONTAINS[c] 'an' AND team != nil)"
        )
        expectEqual(request(Team.fetchRequest().where(.any(\.players, \.age > 30))), "ANY players.age > 30")
        expectEqual(
            request(Player.fetchRequest().where(!(\.active == true) && \.nick != \.team?.city)),
            "(NOT active == YES AND nick != team.city)"
        )
    }

    @Test func operators() throws {
        expectEqual(player(\.age == 3), "age == 3")
        expectEqual(player(\.age != 3), "age != 3")
        expectEqual(player(\.age < 3), "age < 3")
        expectEqual(player(\.age <= 3), "age <= 3")
        expectEqual(player(\.age > 3), "age > 3")
        expectEqual(player(\.age >= 3), "age >= 3")
        expectEqual(player(\.name == \.name), "name == name")
        expectEqual(player(\.score < \.score), "score < score")
        expectEqual(player(\.nick == "x"), "nick == 'x'")
        expectEqual(player(\.nick == nil), "nick == nil")
        expectEqual(player(\.born != nil && \.uuid == nil), "(born != nil AND uuid == nil)")
        expectEqual(player(\.price > 3.5), "price > d3.5")
        let squad = try Squad()
        expectEqual(player(\.coach == squad.makePlayer()), "coach == OBJECT")
        expectEqual(player(\.team == nil || \.active == false), "(team == nil OR active == NO)")
        let nick = Optional("x")
        expectEqual(player(\.nick == nick), "nick == 'x'")
    }

    @Test func rangesAndLists() {
        expectEqual(player(1...9 ~= \.age), "age BETWEEN {1, 9}")
        expectEqual(player(18... ~= \.age), "age >= 18")
        expectEqual(player(..<18 ~= \.age), "age < 18")
        expectEqual(player(...18 ~= \.age), "age <= 18")
        expectEqual(player("a"..."b" ~= \.nick), "nick BETWEEN {'a', 'b'}")
        expectEqual(player(["a", nil] ~= \.nick), "nick IN {'a', nil}")
        let names = ["a", "b"]
        expectEqual(player(names ~= \.name && names ~= \.nick), "(name IN {'a', 'b'} AND nick IN {'a', 'b'})")
        expectEqual(player(.in(\.age, Set<Int16>([1]))), "age IN {1}")
    }

    @Test func text() {
        expectEqual(player(.contains(\.nick, "x")), "nick CONTAINS 'x'")
        expectEqual(
            player(.begins(\.name, with: "x", [.caseInsensitive, .diacriticInsensitive])),
            "name BEGINSWITH[cd] 'x'"
        )
        expectEqual(player(.ends(\.name, with: "x")), "name ENDSWITH 'x'")
        expectEqual(player(.equals(\.name, "x", .caseInsensitive)), "name ==[c] 'x'")
        expectEqual(player(.like(\.name, "x*")), "name LIKE 'x*'")
        expectEqual(player(.matches(\.team?.city, "x+")), "team.city MATCHES 'x+'")
    }

    @Test func toManys() throws {
        expectEqual(team(.all(\.captains, \.age > 30)), "ALL captains.age > 30")
        expectEqual(team(.none(\.players, \.active == true)), "NONE players.active == YES")
        expectEqual(
            team(.any(\.players, \.age > 30 && \.active == true)),
            "SUBQUERY(players, $v1, ($v1.age > 30 AND $v1.active == YES)).@count > 0"
        )
        expectEqual(
            team(.all(\.players, \.age > \.age)),
            "SUBQUERY(players, $v1, NOT $v1.age > $v1.age).@count == 0"
        )
        let squad = try Squad()
        expectEqual(team(.contains(\.players, squad.makePlayer())), "OBJECT IN players")
    }

    @Test func composites() {
        expectEqual(player(\.coach?.team?.city == "Ulm"), "coach.team.city == 'Ulm'")
        expectEqual(player(\.coach?.coach?.team?.name == "x"), "coach.coach.team.name == 'x'")
        expectEqual(player(\.team!.city == "Ulm"), "team.city == 'Ulm'")
        expectEqual(player(\.coach!.team?.city == "Ulm"), "coach.team.city == 'Ulm'")
        expectEqual(player(\.coach?.age == 3), "coach.age == 3")
        expectEqual(player(\.coach?.coach == nil), "coach.coach == nil")
        expectEqual(player(1...9 ~= \.coach?.age), "coach.age BETWEEN {1, 9}")
    }

    /// A key path that is not a property of the model gets a key that binding rejects.
    @Test func unknownKeyPaths() {
        expectEqual(player(\.shout == "x"), "\\Player.<computed property of type String> == 'x'")
        expectEqual(
            player(\.team?.town == "x"),
            "\\Player.<computed property of type Optional<Team>>?"
                + ".<computed property of type Optional<String>> == 'x'"
        )
    }

    /// The operators do not affect the comparison of key paths themselves.
    @Test func keyPathsStayComparable() {
        let same = \Player.name == \Player.name
        #expect(same)
        if \Player.name == \Player.shout { Issue.record("are not the same") }
        let predicate: TypedPredicate<Player> = \.name == \.shout
        expectEqual(predicate.self, predicate)
    }
}
