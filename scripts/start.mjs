// `npm start`: installs only the packages of the main job, then runs it. The job runs in a child process, and this script holds back its
// stderr: graphics drivers and loaders write warnings that nobody can turn off. If the job fails, they are shown before the job's own
// message.

import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../tools/pnpm.mjs'
import { installed } from './support/install.mjs'

await installed('the main job')

const job = join(root, 'examples/main-job/main.ts')
const tsx = pathToFileURL(createRequire(job).resolve('tsx')).href
const child = spawn(process.execPath, ['--import', tsx, job, ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'pipe'],
})
/** @type {Buffer[]} */
const written = []
child.stderr.on('data', (chunk) => written.push(chunk))
// Ctrl-C reaches the job as well, which ends it.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('close', (code, signal) => {
  if (code !== 0 && signal !== 'SIGINT') process.stderr.write(Buffer.concat(written))
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
})
