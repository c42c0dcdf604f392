/**
 * A large tree in parts. An operation that occurs more than once gets a name, and is computed or written once. Without names, such a tree
 * may be exponentially larger than its text (`limit-size.ts`).
 *
 * @module
 */
import { writtenOut } from './limit-size.ts'
import { children, type Expr, isCondition, key, symbol } from './nodes.ts'
import { rebuildOperands } from './rebuild.ts'

export interface Parts {
  readonly whole: Expr
  /** In order: each reads earlier ones only. No caller can choose such names. */
  readonly definitions: readonly { readonly name: string; readonly expr: Expr }[]
}

/** A tree with fewer numbers, names and operations has no parts. */
const mostWhole = 400

export function partsOf(e: Expr): Parts {
  if (writtenOut(e) <= mostWhole) return { whole: e, definitions: [] }
  const repeated = repeatedIn(e)
  const definitions = new Map<string, Parts['definitions'][number]>()
  const named = (part: Expr): Expr => {
    const k = key(part)
    const known = definitions.get(k)
    if (known) return symbol(known.name)
    const expr = rebuildOperands(part, named)
    if (!repeated.has(k)) return expr
    const name = `_${definitions.size}`
    definitions.set(k, { name, expr })
    return symbol(name)
  }
  return { whole: named(e), definitions: [...definitions.values()] }
}

/** The keys of the operations that occur more than once. A part is a number, so conditions are none. */
function repeatedIn(e: Expr): ReadonlySet<string> {
  const [once, repeated] = [new Set<string>(), new Set<string>()]
  const visit = (part: Expr): void => {
    if (children(part).length === 0) return
    if (once.has(key(part))) {
      if (!isCondition(part)) repeated.add(key(part))
      return
    }
    once.add(key(part))
    for (const child of children(part)) visit(child)
  }
  visit(e)
  return repeated
}
