/** `accuracy`: how far each backend is from the float64 reference, by law and number of points, next to the allowed error. */

import type { Command } from 'commander'
import { measuring, type Options } from '../arguments/options.ts'
import { accuracies } from '../report/accuracies.ts'
import { lawProblems, openBackends } from './backends.ts'
import { execute } from './execute.ts'

const laws = ['gravity', 'coulomb', 'yukawa', 'gaussian', 'lennard-jones', 'buckingham', 'morse', 'inverse-power']

export function accuracy(program: Command): Command {
  const command = program
    .command('accuracy')
    .description('the error of each backend against the float64 reference, beside what is allowed')
  const defaults = { sizes: [256, 1024, 4096], laws, backends: ['cpu-wasm', 'webgpu', 'webgl'], duration: 20 }
  return measuring(command, defaults).action((options: Options) =>
    execute({
      kind: 'accuracy',
      options,
      problems: lawProblems(options),
      // Errors need no repetition: they are the same in every run.
      pacing: { warm: 0, span: 1 },
      open: () =>
        openBackends(options, {
          specsOf: (backend) => (backend === 'cpu-wasm' ? [{ backend }, { backend, precision: 'f64' }] : [{ backend }]),
        }),
      table: accuracies,
    }),
  )
}
