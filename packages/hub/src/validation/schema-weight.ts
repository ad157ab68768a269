import type { SchemaGraph, SchemaNode } from './schema-graph.ts'

export interface SchemaWeight {
  /** How many subschemas there are once every `$ref` is written out. */
  expansion: number
  /** An estimate from above of the checks that one part of a value goes through. */
  weight: number
  /** It refers to itself without going on to a part of the value, and so without an end. */
  endless: boolean
  /** It recurs along several branches at once: checks double with each level of a value. */
  branching: boolean
}

interface Sums {
  expansion: number
  /** Checks of the value itself, and of the part of it that is checked most. */
  here: number
  below: number
}

/** What checking against a schema may cost. Linear in the size of the graph. */
export function weigh({ root, nodes }: SchemaGraph): SchemaWeight {
  const sums = new Map<SchemaNode, Sums>()
  const { expansion, here, below } = sum(root, sums)
  return {
    expansion,
    weight: Math.max(here, below),
    endless: hasCycle(nodes),
    branching: isBranching(nodes),
  }
}

/** Depth is bounded by the number of subschemas, which the graph's limits keep small. */
function sum(node: SchemaNode, sums: Map<SchemaNode, Sums>): Sums {
  const known = sums.get(node)
  if (known) return known
  const total: Sums = { expansion: 1, here: node.cost, below: 0 }
  sums.set(node, { expansion: 1, here: node.cost, below: 0 })
  for (const child of node.edges.inPlace) {
    const found = sum(child, sums)
    total.expansion += found.expansion
    total.here += found.here
    total.below += found.below
  }
  let most = 0
  for (const child of node.edges.part) most = Math.max(most, addPart(total, sum(child, sums)))
  for (const child of node.edges.overlap) total.below += addPart(total, sum(child, sums))
  total.below += most
  sums.set(node, total)
  return total
}

function addPart(total: Sums, part: Sums): number {
  total.expansion += part.expansion
  return Math.max(part.here, part.below)
}

function hasCycle(nodes: SchemaNode[]): boolean {
  const components = toComponents(nodes, ({ edges }) => edges.inPlace)
  return nodes.some((node) =>
    node.edges.inPlace.some((child) => components.get(child) === components.get(node)),
  )
}

function isBranching(nodes: SchemaNode[]): boolean {
  const components = toComponents(nodes, allEdges)
  return nodes.some((node) => {
    const recurs = (child: SchemaNode) => components.get(child) === components.get(node)
    const { inPlace, part, overlap } = node.edges
    const several = [...inPlace, ...overlap].filter(recurs).length
    return several + (part.some(recurs) ? 1 : 0) > 1
  })
}

function allEdges({ edges }: SchemaNode): SchemaNode[] {
  return [...edges.inPlace, ...edges.part, ...edges.overlap]
}

/** Nodes that can reach each other get the same number (Tarjan's algorithm). */
function toComponents(
  nodes: SchemaNode[],
  edgesOf: (node: SchemaNode) => SchemaNode[],
): Map<SchemaNode, number> {
  const components = new Map<SchemaNode, number>()
  const order = new Map<SchemaNode, number>()
  const open: SchemaNode[] = []
  for (const node of nodes) if (!order.has(node)) visit(node)
  return components

  function visit(node: SchemaNode): number {
    const own = order.size
    let low = own
    order.set(node, own)
    open.push(node)
    for (const child of edgesOf(node)) {
      if (!order.has(child)) low = Math.min(low, visit(child))
      else if (!components.has(child)) low = Math.min(low, order.get(child)!)
    }
    if (low === own) close(node, own)
    return low
  }

  function close(node: SchemaNode, component: number): void {
    for (let top = open.pop(); top; top = open.pop()) {
      components.set(top, component)
      if (top === node) return
    }
  }
}
