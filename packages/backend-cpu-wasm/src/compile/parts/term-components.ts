/**
 * The components of a term that is a vector, for one pair after the other. The numbers of the pair are known before.
 *
 * @module
 */
import { symbolsOf, type TermLoop } from '@manybody/core/expression'
import type { ModuleWriter, Values } from '../expressions/module-writer.ts'
import type { EachComponent } from '../folds/fold.ts'
import { at, type Node, op, plus, times } from '../wasm/nodes.ts'
import { eachPart, givenComponents, type StoredVector, type VectorPlaces } from './vectors.ts'

/**
 * The components of the term of one record with one register of points, if the term is a vector.
 *
 * @param numbers the numbers of the pair and of the run
 * @param condition marks the lanes that count
 */
export const termComponents =
  (
    { writer, vector: term }: { readonly writer: ModuleWriter; readonly vector: TermLoop },
    record: VectorPlaces,
    register: VectorPlaces,
    numbers: Values,
    condition: Node | undefined,
  ): EachComponent =>
  (code, length, write) => {
    const { vector } = writer
    const read = symbolsOf(term.value, ...term.loop.map(({ expr }) => expr))
    const own = (all: readonly StoredVector[]) => all.filter(({ name }) => read.has(name))
    eachPart(code, length, vector.bytes, (k, components) => {
      const there = k ? code.let('i32', 'there', plus(record.address, k)) : record.address
      const wide = k && times(k, vector.width / vector.bytes)
      const here =
        wide && own(register.vectors).length > 0
          ? code.let('i32', 'here', plus(register.address, wide))
          : register.address
      const values = components.map((n) => {
        const shared = own(record.vectors).map(
          ({ name, first }) =>
            [name, code.let('v128', name, vector.loadSplat((first + n) * vector.bytes, there))] as const,
        )
        const loaded = own(register.vectors).map(
          ({ name, first }) =>
            [name, code.let('v128', name, at('v128.load', (first + n) * vector.width, here))] as const,
        )
        const given = givenComponents(code, vector, [term], numbers, k, n)
        const value = writer.evaluate(
          code,
          new Map([...numbers, ...given, ...shared, ...loaded]),
          term.loop,
        )(term.value)
        return [n, condition ? op('v128.and', value, condition) : value] as const
      })
      write(k, values)
    })
  }
