/** What can be typed after `npm run bench:gpu --`: parsed and checked, so that whatever is wrong is told before a device is opened. */

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { BadInputError } from '../src/errors.ts'
import { checkWritable } from '../src/node/writable.ts'
import { sizes } from './ladder.ts'
import { cases } from './laws.ts'

export type PlanSet = 'all' | 'chosen' | 'best' | 'ladder'

export interface GpuOptions {
  readonly sizes: readonly number[]
  readonly laws: readonly string[]
  readonly set: PlanSet
  readonly rounds: number
  /** Milliseconds. */
  readonly sample: number
  readonly minutes: number
  readonly json?: string
  readonly nvcc?: string
  readonly rivals?: string
  readonly dawn?: string
  /** Whether backends are judged before they are timed, or judged alone. */
  readonly judge: 'all' | 'none' | 'only'
}

const lawNames = cases.map(({ name }) => name)
const sets: readonly string[] = ['all', 'chosen', 'best', 'ladder']

export const help = `Usage: npm run bench:gpu -- [options]

WebGPU beside CUDA on the GPU of this machine: variants by block size, laws, stepping, other workloads, all checked.

  --sizes <n,...>     numbers of points (default: ${sizes.join()})
  --laws <name,...>   of ${lawNames.join(', ')} (default: all)
  --set <name>        plans: chosen by the backend, or also the best known, the ladder of variants, or all (default)
  --judge <what>      the conformance suite and random laws on this GPU first: all (default), none, or only them
  --rounds <n>        samples of each plan (default: 5)
  --sample <ms>       length of a sample (default: 20)
  --minutes <n>       after which it ends with what there is (default: 8)
  --json <file>       write the record, also while it runs
  --nvcc <file>       the CUDA compiler (default: nvcc); none leaves CUDA out
  --rivals <file>     bench/gpu/cuda/rivals.cu, compiled, in place of compiling it
  --dawn <file>       dawn.node of the package webgpu, where the package is not installed`

/** What was asked for, or undefined for help. @throws BadInputError */
export function optionsFrom(args: readonly string[]): GpuOptions | undefined {
  const { values } = parsed(args)
  if (values.help) return undefined
  for (const name of ['rivals', 'dawn'] as const) {
    const file = values[name]
    if (file !== undefined && !existsSync(file)) throw new BadInputError(`--${name} "${file}": there is no such file`)
  }
  if (values.json !== undefined) checkWritable(values.json, '--json')
  const { nvcc, rivals, dawn, json } = values
  return {
    sizes: values.sizes?.split(',').map((text) => whole('sizes', text, 2 ** 21)) ?? sizes,
    laws: values.laws?.split(',').map((text) => oneOf('laws', text, lawNames)) ?? lawNames,
    set: oneOf('set', values.set, sets) as PlanSet,
    rounds: whole('rounds', values.rounds, 1000),
    sample: whole('sample', values.sample, 10_000),
    minutes: whole('minutes', values.minutes, 1440),
    judge: oneOf('judge', values.judge, ['all', 'none', 'only']) as GpuOptions['judge'],
    ...(json === undefined ? {} : { json }),
    ...(nvcc === undefined ? {} : { nvcc }),
    ...(rivals === undefined ? {} : { rivals }),
    ...(dawn === undefined ? {} : { dawn }),
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        sizes: { type: 'string' },
        laws: { type: 'string' },
        set: { type: 'string', default: 'all' },
        rounds: { type: 'string', default: '5' },
        sample: { type: 'string', default: '20' },
        minutes: { type: 'string', default: '8' },
        judge: { type: 'string', default: 'all' },
        json: { type: 'string' },
        nvcc: { type: 'string' },
        rivals: { type: 'string' },
        dawn: { type: 'string' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new BadInputError(`${error instanceof Error ? error.message.split('.')[0] : error}; see --help`)
  }
}

function whole(option: string, text: string, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text.trim()) || value < 1 || value > most)
    throw new BadInputError(`--${option} expected whole numbers from 1 to ${most}, got "${text}"`)
  return value
}

function oneOf(option: string, text: string, known: readonly string[]): string {
  const name = text.trim()
  if (!known.includes(name)) throw new BadInputError(`--${option} expected some of ${known.join(', ')}, got "${name}"`)
  return name
}
