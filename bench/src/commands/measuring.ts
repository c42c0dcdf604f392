/** The commands that measure our backends: one entry each. */

import type { Command } from 'commander'
import { javascript } from '../../thirdparty/javascript.ts'
import { type Defaults, measuring, type Options } from '../arguments/options.ts'
import type { Kind } from '../record.ts'
import { taskNames } from '../tasks.ts'
import type { Pacing } from '../timing/pacing.ts'
import { type Entrants, openBackends, problemsOf } from './backends.ts'
import { execute } from './execute.ts'
import { sweptSpecs } from './sweep-plans.ts'

interface Measuring {
  readonly description: string
  readonly defaults: Defaults
  readonly pacing?: Pacing
  /** Whether problems grow until they are too large for every contender. */
  readonly ascending?: true
  entrants?(options: Options): Entrants
}

const devices = ['cpu-wasm', 'webgpu', 'webgl']

const commands: Readonly<Partial<Record<Kind, Measuring>>> = {
  compare: {
    description: 'all reachable backends side by side, in Node and Chromium',
    defaults: { sizes: [1024, 4096], laws: ['gravity'], duration: 60 },
  },
  sweep: {
    description: 'every variant by block size, unrolling and split at one N, the best marked',
    defaults: { sizes: [1024], laws: ['gravity'], backends: devices, duration: 40 },
    // There are many plans, so each gets little time.
    pacing: { warm: 30, span: 10, together: 12 },
    entrants: (options) => ({ specsOf: (backend, environment) => sweptSpecs(backend, environment, options) }),
  },
  scale: {
    description: 'ever more points, to what the time allows, and where one overtakes another',
    defaults: { sizes: Array.from({ length: 13 }, (_, k) => 256 * 2 ** k), laws: ['gravity'], duration: 120 },
    ascending: true,
  },
  transfer: {
    description: 'upload, computation and readback apart; the gain over JavaScript with and without',
    defaults: { sizes: [1024, 4096], laws: ['gravity'], backends: devices, duration: 40 },
    entrants: () => ({ beside: [javascript('plain', 'f32')] }),
  },
  workloads: {
    description: 'matrices, reductions, neighbours, cell indices, grid gradients',
    defaults: { sizes: [2048], tasks: taskNames, duration: 60 },
  },
}

export function measuringCommands(program: Command): void {
  for (const [kind, { description, defaults, entrants, ...how }] of Object.entries(commands))
    measuring(program.command(kind).description(description), defaults).action((options: Options) =>
      execute({
        kind: kind as Kind,
        options,
        problems: problemsOf(how.ascending ? { ...options, sizes: options.sizes.toSorted((a, b) => a - b) } : options),
        open: () => openBackends(options, entrants?.(options)),
        ...how,
      }),
    )
}
