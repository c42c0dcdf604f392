// Runs a command with the software GPU of the tests, so that WebGPU in Node finds a device on a machine without a driver:
// `npm run software-gpu -- npx tsx examples/09-loops-by-name.ts webgpu`. On Linux, x64.

import { spawnSync } from 'node:child_process'
import { softwareGpuEnvironment } from '../tests/support/software-gpu.ts'

const [command, ...args] = process.argv.slice(2)
if (command === undefined) {
  console.error('Usage: npm run software-gpu -- <command> [arguments]')
  process.exitCode = 2
} else {
  const env = { ...process.env, ...(await softwareGpuEnvironment()) }
  const { status, error } = spawnSync(command, args, { env, stdio: 'inherit' })
  if (error) console.error(`Cannot run "${command}": ${error.message}`)
  process.exitCode = status ?? 1
}
