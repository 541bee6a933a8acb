internal import ChordataModel
internal import ChordataSQL

/// The value of a to-one in the rows of an old entity.
struct ToOnePlan {
    var value = ColumnValue()
    /// The position of the object in an ordered inverse.
    var order = ColumnValue()
    /// A Boolean value that indicates whether the oldest of several references may be taken.
    var takesOldest = false
}

/// Plans the value of a to-one in the rows of an old entity.
func planToOne(
    _ relationship: RelationshipDescription,
    _ flow: RowFlow,
    _ match: MigrationMatch
) -> Planned<ToOnePlan> {
    let entity = match.declarer(of: relationship.name, in: flow.destination)
    let old = match.models.sourceRelationship(named: relationship.name, of: flow.destination)
    if let old, !old.isTransient, old.isToMany {
        return Planned(
            ToOnePlan(),
            [
                .notInferred(
                    "relationship '\(relationship.name)' of '\(entity)' changed from to-many to to-one, and it is unknown which "
                        + "object to keep",
                    entity: entity,
                    property: relationship.name
                )
            ]
        )
    }
    let plan = planReference(relationship, old, flow, match)
    let hasNewDestination =
        old.map { plan.value.isEmpty || !match.destinations(of: $0, in: relationship).lost.isEmpty } ?? false
    let becameRequired = old?.isOptional == true
    guard !relationship.isOptional, hasNewDestination || old == nil && plan.value.isEmpty || becameRequired else {
        return Planned(plan)
    }
    let what = hasNewDestination ? "has a new destination and is" : becameRequired ? "became" : "is new and"
    return Planned(
        plan,
        [
            .leavesInvalid(
                "relationship '\(relationship.name)' of '\(entity)' \(what) required, so existing objects cannot be "
                    + "saved until it is set; make it optional, or set it in your code",
                entity: entity,
                property: relationship.name
            )
        ]
    )
}

/// Plans the reference of old rows: their own, or those of the relationship at the other end.
private func planReference(
    _ relationship: RelationshipDescription,
    _ old: RelationshipDescription?,
    _ flow: RowFlow,
    _ match: MigrationMatch
) -> ToOnePlan {
    var plan = ToOnePlan()
    if let old, !old.isTransient, !match.destinations(of: old, in: relationship).kept.isEmpty,
        let links = match.links(of: old, in: flow.source)
    {
        plan.value.origin = links.destination
        if match.keepsOrder(ofInverseOf: relationship, in: flow.destination) { plan.order.origin = links.inverseOrder }
    }
    let others = match.linksFromOtherEnd(of: relationship, in: flow.destination, except: old, of: flow.source)
    if let links = others.first(where: { $0.table == flow.origin && $0.source == "_id" }), plan.value.origin == nil {
        // The old row has the reference: the to-many at the other end had this inverse, and has another one now.
        plan.value.origin = links.destination
        plan.order.origin = links.inverseOrder
    } else if !others.isEmpty {
        let own = plan.value.origin.map { [ValueExpression.column($0)] } ?? []
        let oldest = others.map { ValueExpression.oldest(column: $0.destination, of: $0, table: flow.origin) }
        if own.isEmpty, others.count == 1 {
            plan.value.expression = oldest[0]
            plan.order.expression = others[0].inverseOrder.map { order in
                .oldest(column: order, of: others[0], table: flow.origin)
            }
        } else {
            plan.value.expression = .firstOf(own + oldest)
        }
        plan.takesOldest = true
    }
    return plan
}
