// The command of `npm run bench:gpu`, in its bundle: WebGPU and CUDA on the same points in one run, into one record.

import { webgpu } from '@manybody/backend-webgpu'
import type { Device } from '@manybody/core'
import { BadInputError } from '../src/errors.ts'
import { interruptible } from '../src/node/interrupt.ts'
import { machine } from '../src/node/machine.ts'
import { typedCommand } from '../src/node/typed-command.ts'
import { openCuda } from './cuda.ts'
import { loadDawn } from './dawn.ts'
import { type GpuOptions, help, optionsFrom } from './options.ts'
import { cudaNote, heading } from './print.ts'
import type { GpuMachine, GpuRecord } from './record.ts'
import { measureAll } from './run-stages.ts'

/** What was typed less where this machine has its programs, which changes nothing that is measured. */
function withoutPlaces(args: readonly string[]): readonly string[] {
  const places = ['--nvcc', '--rivals', '--dawn']
  return args.filter((arg, n) => !places.includes(arg.split('=')[0] ?? '') && !places.includes(args[n - 1] ?? ''))
}

/** @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  const options = optionsFrom(args)
  if (!options) {
    console.log(help)
    return 0
  }
  await loadDawn(options.dawn)
  const device = await webgpu().open()
  const about = { command: typedCommand('npm run bench:gpu --', withoutPlaces(args)), machine: machineOf(device) }
  console.log(heading(about.machine))
  try {
    const { partial } = await interruptible((signal) => withCuda(device, about, options, signal))
    if (partial === undefined) return 0
    const saved = options.json === undefined ? '' : `, as ${options.json} says too`
    console.error(`bench:gpu: ${partial}: these results are partial${saved}`)
    return 130
  } finally {
    device.dispose()
  }
}

async function withCuda(
  device: Device,
  about: Pick<GpuRecord, 'command' | 'machine'>,
  options: GpuOptions,
  signal: AbortSignal,
): Promise<GpuRecord> {
  const cuda = await openCuda(options.nvcc, options.rivals)
  console.log(cudaNote(cuda))
  try {
    return await measureAll(device, cuda, about, options, signal)
  } finally {
    cuda.dispose()
  }
}

function machineOf(device: Device): GpuMachine {
  const { name, kind, limits, features } = device.info
  return { ...machine(), gpu: name, kind, webgpu: WEBGPU_VERSION, node: process.versions.node, limits, features }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(`bench:gpu: ${error instanceof Error ? error.message : error}`)
  process.exitCode = error instanceof BadInputError ? 2 : 1
}
// Devices and drivers may keep threads.
process.exit()
