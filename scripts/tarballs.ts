// Checks the packed tarballs as a user would install them. A README is for the registry, publint checks the manifest, and
// are-the-types-wrong the types. A snapshot of each public API makes reviews show its changes.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { argumentsFrom } from '../tools/arguments.mjs'
import { type PackedPackage, packedPackages } from './packed.ts'
import { command } from './support/command.ts'

const { update } = argumentsFrom(
  `Usage: npm run tarballs -- [options]

Checks the packed tarballs: README, manifest, types, and the public API against its snapshot.

  --update  accept the API as it is
  --help    print this text`,
  { update: { type: 'boolean', default: false } },
).values
const waiting = [...(await packedPackages())]

/** Whether a packed package is as its users need it. */
async function passes({ name, tarball, content, folder: home }: PackedPackage): Promise<boolean> {
  const api = join(home, 'api')
  if (!update && !existsSync(api)) throw new Error(`${name} has no API snapshot: run \`npm run tarballs -- --update\``)
  const page = existsSync(join(content, 'README.md'))
  if (!page) console.error(`${name}: expected a README.md in the tarball, which the registry shows, got none`)
  return (
    page &&
    (await command('publint', '--strict', tarball)) &&
    (await command('attw', '--profile', 'esm-only', '--format', 'ascii', tarball)) &&
    command('tsnapi', content, '--output-dir', api, ...(update ? ['--update', '--allow-breaking'] : []))
  )
}

async function worker(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const passed = await passes(next)
    console.log(
      `${next.name}: ${passed ? 'README, manifest, types and API pass' : 'FAILED; `npm run tarballs -- --update` accepts a changed API'}`,
    )
    if (!passed) process.exitCode = 1
  }
}
// Two at a time, as many as the processors that a machine has at least.
await Promise.all([worker(), worker()])
