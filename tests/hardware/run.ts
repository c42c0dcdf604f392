// `npm run bench:gpu`: bundles the command and runs the bundle on this machine, on the software GPU if there is no other.

import { spawn } from 'node:child_process'
import { gpuEnvironment } from '../../bench/src/node/software-gpu.ts'
import { bundle, ownBundle } from './bundle.mjs'

await bundle(ownBundle)
const env = { ...process.env, ...(await gpuEnvironment()) }
const child = spawn(process.execPath, [ownBundle, ...process.argv.slice(2)], { env, stdio: 'inherit' })
// Ctrl-C reaches the child as well, which ends in its own way.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
