/** The benchmark: `npm run bench -- <command>`. */

import { commandLine } from './command-line.ts'

await commandLine(process.argv.slice(2))
// Devices and drivers may keep threads.
process.exit()
