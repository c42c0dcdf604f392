// Imports modules one after the other in one process, each with its own arguments, and prints the output and the error of each as JSON. A
// process for each module would take longer to start than most examples take to run. The arguments are lists as JSON: a file, and its words.

import { pathToFileURL } from 'node:url'
import { format } from 'node:util'

export interface Printed {
  readonly log: string
  readonly error: string | undefined
}

const printed: Record<string, Printed> = {}
for (const given of process.argv.slice(2)) {
  const [file = '', ...words] = JSON.parse(given) as string[]
  process.argv = [process.execPath, file, ...words]
  const lines: string[] = []
  console.log = (...values: unknown[]) => lines.push(format(...values))
  const error = await import(pathToFileURL(file).href).then(
    () => undefined,
    (cause: Error) => String(cause.stack),
  )
  printed[file] = { log: lines.join('\n'), error }
}
process.stdout.write(JSON.stringify(printed), () => process.exit())
