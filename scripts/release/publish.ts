// Publishes the packed tarballs of versions that the registry lacks. The release workflow runs it with Node alone, where npm proves by OIDC
// who publishes. It installs, builds and tests nothing, and has no dependencies.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { argumentsFrom } from '../../tools/arguments.mjs'
import { root } from '../../tools/pnpm.mjs'
import { packages, tarballOf } from '../packages.ts'
import { command } from '../support/command.ts'

const {
  values: { tag, 'dry-run': dry },
  positionals: [given = 'output/packages'],
} = argumentsFrom(
  `Usage: npm run release -- [folder] [options]

Publishes the tarballs in the folder, or in output/packages, whose version the registry lacks. Meant for the release workflow;
\`npm run pack\` makes them.

  --tag <name>  the tag that was pushed, which must be the version, such as v0.1.0
  --dry-run     check, but publish nothing
  --help        print this text`,
  { tag: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  { positionals: 1 },
)

const versions = new Set(packages.map(({ version }) => version))
const [version] = versions
if (versions.size !== 1) throw new Error(`expected one version of all packages, got ${[...versions].join(', ')}`)
if (tag !== undefined && tag !== `v${version}`) throw new Error(`"--tag" expected v${version}, got ${tag}`)
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { repository: { url: string } }
if (repository.url.includes('/OWNER/') && !dry)
  throw new Error(`package.json: "repository" expected the address of the repository, got ${repository.url}`)

const isPublished = (name: string) =>
  spawnSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8' }).stdout.trim() !== ''

const packed = packages.map((one) => ({ name: one.name, tarball: resolve(root, given, tarballOf(one)) }))
const missing = packed.find(({ tarball }) => !existsSync(tarball))
if (missing) throw new Error(`expected the tarball ${missing.tarball}; run "npm run pack" first`)
for (const { name, tarball } of packed) {
  if (isPublished(name)) {
    console.log(`${name}: the registry has ${version}`)
    continue
  }
  const published = await command('npm', 'publish', tarball, ...(dry ? ['--dry-run', '--provenance=false'] : []))
  console.log(`${name}: ${published ? `${dry ? 'could be published' : 'published'} as ${version}` : 'FAILED'}`)
  if (!published) process.exitCode = 1
}
