/**
 * The drivers: the programs that run designs, by the names in these.
 *
 * @module
 */
import type { Shape } from '@manybody/core'
import { Guarded } from '@manybody/core/backend'
import type { GuardedDesigns, ProgramDesign } from '../../design/design.ts'
import { ElementProgram } from './element-program.ts'
import { MatrixProgram } from './matrix-program.ts'
import { NaiveProgram } from './naive-program.ts'
import { PairProgram } from './pair-program.ts'
import type { OpenedHost, WebglProgram } from './program.ts'

type Driver<Design> = new (opened: OpenedHost, designs: Guarded<Design>, shape: Shape, started: number) => WebglProgram

const drivers: {
  readonly [Name in ProgramDesign['driver']]: Driver<Extract<ProgramDesign, { driver: Name }>>
} = { pair: PairProgram, matrix: MatrixProgram, element: ElementProgram, naive: NaiveProgram }

/** Starts compiling the design that the workload's own parameters need. @throws {@link ProgramCompilationError} */
export function programOf(opened: OpenedHost, { rule, of }: GuardedDesigns, shape: Shape): WebglProgram {
  const started = performance.now()
  const designs = new Guarded(rule, of)
  const Program = drivers[designs.of().driver] as Driver<ProgramDesign>
  return new Program(opened, designs, shape, started)
}
