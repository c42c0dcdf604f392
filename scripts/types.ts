// Checks the types of every package and of the code around them with the native TypeScript compiler, two projects at a time. It takes a
// sixth of the time of TypeScript 5. Some tests still need the programming interface of TypeScript 5. It emits nothing: the builds do that.
// Each project checks the sources of core again, so the code around the packages is one project here, but for `live`: the types of Vite
// there would hold in every folder. Each folder has its own tsconfig.json for editors, and to be checked alone.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { argumentsFrom } from '../tools/arguments.mjs'
import { root } from '../tools/pnpm.mjs'
import { packages } from './packages.ts'
import { command } from './support/command.ts'
import { projects } from './support/projects.ts'

const { positionals: named } = argumentsFrom(
  `Usage: npm run types -- [folder...]

Checks the types of every package and of the code around them, or of the named folders, such as packages/core or tests.`,
  {},
  { positionals: Number.POSITIVE_INFINITY },
)
const unknown = named.find((name) => !projects.includes(name))
if (unknown !== undefined) {
  console.error(`types: expected folders of ${projects.join(', ')}, got '${unknown}'`)
  process.exit(2)
}
const own = (folder: string): string => join(root, folder, 'tsconfig.json')
if (!projects.every((folder) => existsSync(own(folder)))) throw new Error('a folder lacks its tsconfig.json')
const waiting =
  named.length > 0
    ? named.map(own)
    : [
        ...packages.map(({ folder }) => join(folder, 'tsconfig.json')),
        own('live'),
        join(root, 'tsconfig.workshop.json'),
      ]
const count = waiting.length

const compiler = join(root, 'node_modules/typescript-native/bin/tsc')

const results: boolean[] = []
async function worker(): Promise<void> {
  for (let project = waiting.pop(); project; project = waiting.pop()) {
    results.push(await command(process.execPath, compiler, '--singleThreaded', '--project', project))
  }
}
await Promise.all([worker(), worker()])
console.log(`types: ${results.filter(Boolean).length} of ${count} projects pass`)
process.exitCode = results.every(Boolean) ? 0 : 1
