// Runs a command with the software GPU of the tests, so that WebGPU in Node finds a device on a machine without a driver:
// `npm run software-gpu -- npx tsx examples/09-loops-by-name.ts webgpu`. On Linux, x64.

import { spawnSync } from 'node:child_process'
import { argumentsFrom } from '../tools/arguments.mjs'
import { softwareGpuEnvironment } from '../tools/software-gpu.ts'

const typed = process.argv.slice(2)
// Options before the command are for this script; everything after it is for the command.
const start = typed.findIndex((word) => !word.startsWith('-'))
argumentsFrom(
  `Usage: npm run software-gpu -- <command> [arguments]

Runs a command with the software GPU of the tests. On Linux, x64.`,
  {},
  { args: start < 0 ? (typed.length === 0 ? ['--help'] : typed) : typed.slice(0, start) },
)
const [command = '', ...args] = typed.slice(start)
const env = { ...process.env, ...(await softwareGpuEnvironment()) }
const { status, error } = spawnSync(command, args, { env, stdio: 'inherit' })
if (error) console.error(`Cannot run "${command}": ${error.message}`)
process.exitCode = status ?? 1
