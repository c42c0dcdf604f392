// The published packages: folder, manifest, source entries, and the names of their tarballs.
// Without dependencies: it also runs where nothing is installed.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../tools/pnpm.mjs'

export interface Package {
  readonly name: string
  readonly version: string
  readonly folder: string
  /** Import specifier to source file, as in `exports`. */
  readonly entries: Readonly<Record<string, string>>
}

export const packages: readonly Package[] = readdirSync(join(root, 'packages')).map((folderName) => {
  const folder = join(root, 'packages', folderName)
  const { name, version, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    exports: Record<string, string>
  }
  const entries = Object.entries(exports).map(([path, file]) => [join(name, path), join(folder, file)])
  return { name, version, folder, entries: Object.fromEntries(entries) }
})

/** The name of the file that `pnpm pack` writes for a package. */
export const tarballOf = ({ name, version }: Package): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
