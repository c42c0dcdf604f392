// Publishes the packed tarballs of all packages whose version the registry lacks. The release workflow runs it, where npm proves by
// OIDC who publishes. It builds and packs, but tests nothing: the workflow has done that.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packages, packInto } from '../packages.ts'
import { root } from '../pnpm.mjs'
import { argumentsFrom } from '../support/arguments.mjs'
import { command } from '../support/command.ts'

const { tag, 'dry-run': dry } = argumentsFrom(
  `Usage: npm run release -- [options]

Publishes the packages whose version the registry lacks. Meant for the release workflow.

  --tag <name>  the tag that was pushed, which must be the version, such as v0.1.0
  --dry-run     pack and check, but publish nothing
  --help        print this text`,
  { tag: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
).values

const versions = new Set(packages.map(({ version }) => version))
const [version] = versions
if (versions.size !== 1) throw new Error(`expected one version of all packages, got ${[...versions].join(', ')}`)
if (tag !== undefined && tag !== `v${version}`) throw new Error(`"--tag" expected v${version}, got ${tag}`)
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { repository: { url: string } }
if (repository.url.includes('/OWNER/') && !dry)
  throw new Error(`package.json: "repository" expected the address of the repository, got ${repository.url}`)

const isPublished = (name: string) =>
  spawnSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8' }).stdout.trim() !== ''

const folder = await mkdtemp(join(tmpdir(), 'manybody-release-'))
try {
  for (const { name, tarball } of await packInto(folder)) {
    if (isPublished(name)) {
      console.log(`${name}: the registry has ${version}`)
      continue
    }
    const published = await command('npm', 'publish', tarball, ...(dry ? ['--dry-run', '--provenance=false'] : []))
    console.log(`${name}: ${published ? `${dry ? 'could be published' : 'published'} as ${version}` : 'FAILED'}`)
    if (!published) process.exitCode = 1
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
