// Fills in the owner of the repository in every manifest and the README, and lists the remaining steps before a release.

import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { argumentsFrom } from '../../tools/arguments.mjs'
import { root } from '../../tools/pnpm.mjs'
import { packages } from '../packages.ts'

const {
  positionals: [owner],
} = argumentsFrom(
  `Usage: npm run owner -- [name]

Writes the name of the user or organisation on GitHub into every manifest and the README, in place of OWNER. Then it lists what is left before a
release; without a name it only lists.

  --help  print this text`,
  {},
  { positionals: 1 },
)
if (owner !== undefined && !/^[a-z\d](?:-?[a-z\d]){0,38}$/i.test(owner)) {
  console.error(`owner: expected the name of a user or an organisation on GitHub, got '${owner}'`)
  process.exit(2)
}

const left: string[] = []
const manifests = [root, ...packages.map(({ folder }) => folder)].map((folder) => join(folder, 'package.json'))
for (const path of [...manifests, join(root, 'README.md')]) {
  const before = readFileSync(path, 'utf8')
  const after = owner === undefined ? before : before.replaceAll(/\bOWNER\b/g, owner)
  const name = relative(root, path)
  if (after !== before) {
    writeFileSync(path, after)
    console.log(`${name}: ${owner}`)
  }
  if (/\bOWNER\b/.test(after)) left.push(`${name} names no owner`)
}
const [version] = packages.map((one) => one.version)
if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`## [${version}]`))
  left.push(`CHANGELOG.md has no chapter ${version}`)
if (left.length > 0) console.log(['Left before a release:', ...left].join('\n  '))
