internal import SwiftSyntax

/// Visits the nodes of a tree, parents first, without the clauses of `#if` that only Apple's platforms compile.
///
/// The walk does not recurse, because a tree can be as deep as its file is long.
/// - Parameter visit: Returns the scope of the node's children, or `nil` to skip them.
func walk(_ tree: SourceFileSyntax, _ visit: (Syntax, Scope) -> Scope?) {
    var pending: [(node: Syntax, scope: Scope)] = [(Syntax(tree), Scope())]
    while let (node, scope) = pending.popLast() {
        if let condition = node.as(IfConfigDeclSyntax.self) {
            pending += compiledClauses(condition).reversed().map { (Syntax($0), scope) }
            continue
        }
        guard let inner = visit(node, scope) else { continue }
        for child in node.children(viewMode: .sourceAccurate).reversed() { pending.append((child, inner)) }
    }
}
