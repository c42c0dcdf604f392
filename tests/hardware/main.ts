// The command of `npm run bench:gpu`, in its bundle: it judges the backends on a graphics card, and then times them.

import { gpuCommand } from '../../bench/gpu/command.ts'
import { runCommand } from '../../bench/src/arguments/command-errors.ts'
import { judge } from './judge-backends.ts'

await runCommand(gpuCommand(judge), process.argv.slice(2))
// Devices and drivers may keep threads.
process.exit()
