/**
 * Shortens a function before it is encoded, without changing what it computes or in which order: a value that is read right after it was
 * set stays on the stack, and locals stand by type, those that are used most first.
 *
 * @module
 */
import type { FunctionBuilder } from './function-builder.ts'
import type { Local, Node } from './nodes.ts'

/** A function as it is encoded. */
export interface CompactFunction {
  readonly body: readonly Node[]
  /** The locals behind the parameters, in order. */
  readonly locals: readonly Local[]
}

export function compact({ body: given, parameters, locals }: FunctionBuilder): CompactFunction {
  const uses = new Map<Local, { gets: number; sets: number }>()
  const of = (local: Local) => {
    const known = uses.get(local) ?? { gets: 0, sets: 0 }
    uses.set(local, known)
    return known
  }
  each(given, (node) => {
    if (node.kind === 'get') of(node.local).gets++
    if (node.kind === 'set') of(node.local).sets++
  })
  const body = shortened(given, (local) => of(local).gets === 1 && of(local).sets === 1)
  const counts = new Map<Local, number>()
  each(body, (node) => {
    if (node.kind === 'get' || node.kind === 'set' || node.kind === 'tee')
      counts.set(node.local, (counts.get(node.local) ?? 0) + 1)
  })
  const used = locals.slice(parameters.length).filter((local) => counts.has(local))
  const order = ['i32', 'v128', 'f64', 'i64', 'f32']
  const sorted = used.toSorted(
    (a, b) => order.indexOf(a.type) - order.indexOf(b.type) || (counts.get(b) ?? 0) - (counts.get(a) ?? 0),
  )
  return { body, locals: sorted }
}

function each(nodes: readonly Node[], visit: (node: Node) => void): void {
  for (const node of nodes) {
    visit(node)
    each(childrenOf(node), visit)
  }
}

function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'op':
    case 'call':
      return node.args
    case 'set':
    case 'tee':
    case 'return':
      return [node.value]
    case 'if':
      return [node.condition, ...node.body, ...node.otherwise]
    case 'loop':
      return [...node.body, node.again]
    default:
      return []
  }
}

function shortened(nodes: readonly Node[], once: (local: Local) => boolean): Node[] {
  const done: Node[] = []
  for (const given of nodes) {
    let node = within(given, once)
    for (let last = done.at(-1); last?.kind === 'set'; last = done.at(-1)) {
      const { local, value } = last
      const joined = withFirst(node, local, once(local) ? value : { kind: 'tee', local, value })
      if (!joined) break
      node = joined
      done.pop()
    }
    done.push(node)
  }
  return done
}

function within(node: Node, once: (local: Local) => boolean): Node {
  if (node.kind === 'if')
    return { ...node, body: shortened(node.body, once), otherwise: shortened(node.otherwise, once) }
  if (node.kind !== 'loop') return node
  const all = shortened([...node.body, node.again], once)
  return { ...node, body: all.slice(0, -1), again: all.at(-1) as Node }
}

/** The node with a value in place of what it reads first, if that is the local. */
function withFirst(node: Node, local: Local, value: Node): Node | undefined {
  switch (node.kind) {
    case 'get':
      return node.local === local ? value : undefined
    case 'op':
    case 'call': {
      const [first, ...others] = node.args
      const joined = first && withFirst(first, local, value)
      return joined && { ...node, args: [joined, ...others] }
    }
    case 'set':
    case 'tee':
    case 'return': {
      const joined = withFirst(node.value, local, value)
      return joined && { ...node, value: joined }
    }
    case 'if': {
      const joined = withFirst(node.condition, local, value)
      return joined && { ...node, condition: joined }
    }
    default:
      return undefined
  }
}
