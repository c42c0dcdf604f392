/**
 * The registers of targets of a unit, as folds get them, and the numbers that scale their results.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { TargetRegister } from '../folds/fold.ts'
import { value } from '../language/kernel.ts'
import { i32, type Node } from '../wasm/nodes.ts'
import { loadPoint, registerAt } from './points.ts'
import type { TileOptions } from './tile.ts'

/** The registers of targets of a unit. */
export function targetRegisters(
  { writer, body, fold, registers, targets }: TileOptions,
  code: Parameters<ModuleWriter['slot']>[0],
  block: Node,
) {
  const { vector } = writer
  const results = new Map(fold.results.map(({ name }) => [name, writer.slot(code, block, `result.${name}`)]))
  const [merge, targetCount, base] = [
    writer.slot(code, block, 'merge'),
    writer.slot(code, block, 'targetCount'),
    writer.slot(code, block, 'targets'),
  ]
  const starts = fold.results.some(({ listed }) => listed) ? writer.slot(code, block, 'starts') : i32(0)
  const numbers = writer.numbers(code, block, body.scale ? body.run : [])
  return (unit: Node, state: Node): readonly { register: TargetRegister; scale: () => Node | undefined }[] =>
    Array.from({ length: registers }, (_, u) => {
      const target = value(code)`
        let target = ${unit} * ${registers * vector.lanes} + ${u * vector.lanes}
        target`
      const remaining = value(code)`
        let remaining = ${targetCount} - ${target}
        remaining`
      const register: TargetRegister = {
        state: value(code)`${state} + ${u * fold.stateBytes}`,
        target,
        remaining,
        result: (name) => results.get(name) ?? i32(0),
        merge,
        starts,
      }
      const scale = () => {
        if (!body.scale) return undefined
        const number = value(code)`${unit} * ${registers} + ${u}`
        const address = code.let('i32', 'values', registerAt(writer, targets, base, number))
        const used = loadPoint(writer, targets, address)
        return writer.evaluate(code, new Map([...numbers, ...used]), [])(body.scale)
      }
      return { register, scale }
    })
}
