import Chordata
import ChordataPredicate
import Foundation
import Testing

struct TypedPredicateTests {
    private func player(_ predicate: TypedPredicate<Player>) -> String { printed(FetchPredicate(predicate).node) }
    private func team(_ predicate: TypedPredicate<Team>) -> String { printed(FetchPredicate(predicate).node) }
    private func request(_ request: FetchRequest<Player>) -> String { request.predicate.map { printed($0.node) } ?? "" }
    private func request(_ request: FetchRequest<Team>) -> String { request.predicate.map { printed($0.node) } ?? "" }

    @Test func manual() {
        #expect(
            request(Player.fetchRequest().where(\.age >= 18 && \.team?.city == "Ulm"))
                == "(age >= 18 AND team.city == 'Ulm')"
        )
        #expect(
            request(Player.fetchRequest().where(18..<30 ~= \.age || ["Jo", "Al"] ~= \.name))
                == "((age >= 18 AND age < 30) OR name IN {'Jo', 'Al'})"
        )
        #expect(
            request(Player.fetchRequest().where(.contains(\.name, "an", .caseInsensitive) && \.team != nil))
                == "(name CONTAINS[c] 'an' AND team != nil)"
        )
        #expect(request(Team.fetchRequest().where(.any(\.players, \.age > 30))) == "ANY players.age > 30")
        #expect(
            request(Player.fetchRequest().where(!(\.active == true) && \.nick != \.team?.city))
                == "(NOT active == YES AND nick != team.city)"
        )
    }

    @Test func operators() throws {
        #expect(player(\.age == 3) == "age == 3")
        #expect(player(\.age != 3) == "age != 3")
        #expect(player(\.age < 3) == "age < 3")
        #expect(player(\.age <= 3) == "age <= 3")
        #expect(player(\.age > 3) == "age > 3")
        #expect(player(\.age >= 3) == "age >= 3")
        #expect(player(\.name == \.name) == "name == name")
        #expect(player(\.score < \.score) == "score < score")
        #expect(player(\.nick == "x") == "nick == 'x'")
        #expect(player(\.nick == nil) == "nick == nil")
        #expect(player(\.born != nil && \.uuid == nil) == "(born != nil AND uuid == nil)")
        #expect(player(\.price > 3.5) == "price > d3.5")
        let squad = try Squad()
        #expect(player(\.coach == squad.makePlayer()) == "coach == OBJECT")
        #expect(player(\.team == nil || \.active == false) == "(team == nil OR active == NO)")
        let nick = Optional("x")
        #expect(player(\.nick == nick) == "nick == 'x'")
    }

    @Test func rangesAndLists() {
        #expect(player(1...9 ~= \.age) == "age BETWEEN {1, 9}")
        #expect(player(18... ~= \.age) == "age >= 18")
        #expect(player(..<18 ~= \.age) == "age < 18")
        #expect(player(...18 ~= \.age) == "age <= 18")
        #expect(player("a"..."b" ~= \.nick) == "nick BETWEEN {'a', 'b'}")
        #expect(player(["a", nil] ~= \.nick) == "nick IN {'a', nil}")
        let names = ["a", "b"]
        #expect(player(names ~= \.name && names ~= \.nick) == "(name IN {'a', 'b'} AND nick IN {'a', 'b'})")
        #expect(player(.in(\.age, Set<Int16>([1]))) == "age IN {1}")
    }

    @Test func text() {
        #expect(player(.contains(\.nick, "x")) == "nick CONTAINS 'x'")
        #expect(
            player(.begins(\.name, with: "x", [.caseInsensitive, .diacriticInsensitive])) == "name BEGINSWITH[cd] 'x'"
        )
        #expect(player(.ends(\.name, with: "x")) == "name ENDSWITH 'x'")
        #expect(player(.equals(\.name, "x", .caseInsensitive)) == "name ==[c] 'x'")
        #expect(player(.like(\.name, "x*")) == "name LIKE 'x*'")
        #expect(player(.matches(\.team?.city, "x+")) == "team.city MATCHES 'x+'")
    }

    @Test func toManys() throws {
        #expect(team(.all(\.captains, \.age > 30)) == "ALL captains.age > 30")
        #expect(team(.none(\.players, \.active == true)) == "NONE players.active == YES")
        #expect(
            team(.any(\.players, \.age > 30 && \.active == true))
                == "SUBQUERY(players, $v1, ($v1.age > 30 AND $v1.active == YES)).@count > 0"
        )
        #expect(
            team(.all(\.players, \.age > \.age))
                == "SUBQUERY(players, $v1, NOT $v1.age > $v1.age).@count == 0"
        )
        let squad = try Squad()
        #expect(team(.contains(\.players, squad.makePlayer())) == "OBJECT IN players")
    }

    @Test func composites() {
        #expect(player(\.coach?.team?.city == "Ulm") == "coach.team.city == 'Ulm'")
        #expect(player(\.coach?.coach?.team?.name == "x") == "coach.coach.team.name == 'x'")
        #expect(player(\.team!.city == "Ulm") == "team.city == 'Ulm'")
        #expect(player(\.coach!.team?.city == "Ulm") == "coach.team.city == 'Ulm'")
        #expect(player(\.coach?.age == 3) == "coach.age == 3")
        #expect(player(\.coach?.coach == nil) == "coach.coach == nil")
        #expect(player(1...9 ~= \.coach?.age) == "coach.age BETWEEN {1, 9}")
    }

    /// A key path that is not a property of the model gets a key that binding rejects.
    @Test func unknownKeyPaths() {
        #expect(player(\.shout == "x") == "\\Player.<computed property of type String> == 'x'")
        #expect(
            player(\.team?.town == "x")
                == "\\Player.<computed property of type Optional<Team>>?"
                + ".<computed property of type Optional<String>> == 'x'"
        )
    }

    /// The operators do not affect the comparison of key paths themselves.
    @Test func keyPathsStayComparable() {
        let same = \Player.name == \Player.name
        #expect(same)
        if \Player.name == \Player.shout { Issue.record("are not the same") }
        let predicate: TypedPredicate<Player> = \.name == \.shout
        #expect(predicate.self == predicate)
    }
}
