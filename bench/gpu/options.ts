// Options of the commands of `npm run bench:gpu`.

import { existsSync } from 'node:fs'
import { Option } from 'commander'
import { wholeFrom } from '../src/arguments/options.ts'
import { BadInputError } from '../src/errors.ts'
import { typedCommand } from '../src/node/typed-command.ts'
import type { Pacing } from '../src/timing/pacing.ts'

/** Programs on this machine. */
export interface Places {
  readonly nvcc?: string
  readonly rivals?: string
  readonly dawn?: string
}

export interface Rounds {
  readonly rounds: number
  readonly sample: number
  readonly minutes: number
}

/**
 * Milliseconds of warming up. The first entry needs more, because the device idled while shaders were compiled: after half a second, an
 * H200 was seen at a third of its clock rate. With short samples, the warm-up is short, too.
 */
const [wake, warm] = [2000, 60]
const wakeSamples = 100

export const pacingOf = ({ rounds, sample }: Pick<Rounds, 'rounds' | 'sample'>): Pacing => ({
  warm,
  wake: Math.min(wake, wakeSamples * sample),
  rounds,
  span: sample,
})

/** @param usual the default values */
export const pacingOptions = (usual: Pick<Rounds, 'sample' | 'minutes'>): readonly Option[] => [
  new Option('--rounds <n>', 'samples of each plan').argParser(wholeFrom('rounds', 1000)).default(5),
  new Option('--sample <ms>', 'length of a sample').argParser(wholeFrom('sample', 10_000)).default(usual.sample),
  new Option('--minutes <n>', 'after which it ends with what there is')
    .argParser(wholeFrom('minutes', 1440))
    .default(usual.minutes),
]

export const cudaOptions = (): readonly Option[] => [
  new Option('--nvcc <file>', 'the CUDA compiler, nvcc if left out; none leaves CUDA out'),
  new Option('--rivals <file>', 'bench/gpu/cuda/rivals.cu, compiled').argParser(fileFrom('rivals')),
]

export const dawnOption = (): Option =>
  new Option('--dawn <file>', 'dawn.node of the package webgpu, where that is not installed').argParser(
    fileFrom('dawn'),
  )

function fileFrom(option: string): (file: string) => string {
  return (file) => {
    if (!existsSync(file)) throw new BadInputError(`--${option} "${file}": there is no such file`)
    return file
  }
}

/** The command line for a record, without the paths of programs on this machine. They do not affect the measurement. */
export function commandLine(): string {
  const places = ['--nvcc', '--rivals', '--dawn']
  const args = process.argv.slice(2)
  const kept = args.filter((arg, n) => !places.includes(arg.split('=')[0] ?? '') && !places.includes(args[n - 1] ?? ''))
  return typedCommand('npm run bench:gpu --', kept)
}
