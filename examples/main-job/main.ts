/** The main job, which `npm start` runs: reads the arguments, then loads the job, which takes a while. */

import { ArgumentError, argumentsOf, help } from './arguments.ts'

try {
  const options = argumentsOf(process.argv.slice(2))
  if (options.help) console.log(help)
  else await (await import('./job.ts')).mainJob(options)
} catch (error) {
  const wrongArguments = error instanceof ArgumentError
  console.error(`main job: ${error instanceof Error ? error.message : error}${wrongArguments ? '; see --help' : ''}`)
  process.exitCode = wrongArguments ? 2 : 1
}
