/**
 * The key of a compiled program: two runs with the same key share the program.
 *
 * It leaves out values of parameters and tables, cutoffs, box lengths and exclusions, which are bound with each run.
 *
 * @module
 */
import type { Plan } from '../contract/backend.ts'
import { Remembered } from '../ground/remember.ts'
import { isSymmetricTable } from '../ground/table.ts'
import type { Interaction } from '../problem/interactions/interaction.ts'
import { isCompiled } from '../problem/workloads/compiled.ts'
import { repeatsOf } from '../problem/workloads/domain.ts'
import { lawFact } from '../problem/workloads/law-facts.ts'
import { scopeOf } from '../problem/workloads/tables/function-scope.ts'
import { blocksOf } from '../problem/workloads/tables/layout.ts'
import type { Shape, Workload } from '../problem/workloads/workload.ts'

export function programKey(workload: Workload, shape: Shape, plan?: Plan): string {
  const common = known.of(workload, () => JSON.stringify(essence(workload, shape)), `${shape.dimension}`)
  return `${common} ${JSON.stringify([shape, plan])}`
}

const known = new Remembered<Workload, string>()

function essence(given: Workload, shape: Shape): unknown {
  // A checksum stands for all programs.
  const workload = isCompiled(given) ? { ...given, compiled: given.compiled.checksum } : given
  if (workload.loop !== 'pair')
    return 'parameters' in workload ? { ...workload, parameters: Object.keys(workload.parameters) } : workload
  const { domain, law, ...rest } = workload
  const { boundary, cutoff } = domain
  return {
    ...rest,
    law: { ...law, ...namesOf(law), ...structureOf(law) },
    domain: {
      self: domain.self,
      boundary: repeatsOf(boundary),
      cutoff: cutoff && [
        typeof cutoff.distance === 'string' && cutoff.distance,
        cutoff.switchDistance === undefined ? cutoff.shift : 'switch',
        lawFact('rooms', workload, shape),
      ],
      exclusions: domain.exclusions.length > 0,
    },
  }
}

/** The names of parameters. */
const namesOf = ({ parameters, vectors }: Pick<Interaction, 'parameters' | 'vectors'>): object => ({
  parameters: Object.keys(parameters),
  ...(vectors && { vectors: Object.keys(vectors) }),
})

/** Which tables share an index, and which are symmetric. */
function structureOf({ tables, functions = {} }: Pick<Interaction, 'tables' | 'functions'>): object {
  if (!tables) return {}
  const symmetric = Object.entries(tables).flatMap(([name, table]) => (isSymmetricTable(table) ? [name] : []))
  const outside = Object.entries(functions).map(([name, curves]) => [name, scopeOf(curves)])
  return { tables: [blocksOf(tables).map(({ names }) => names), symmetric], functions: outside }
}
