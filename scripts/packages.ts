// The published packages: folder, manifest, source entries, and their tarballs as npm would receive them.
// It checks nothing; the scripts beside it do.

import { readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { extract } from 'tar'
import { pnpm, root } from './pnpm.mjs'

export interface Package {
  readonly name: string
  readonly version: string
  readonly folder: string
  /** Import specifier to source file, as in `exports`. */
  readonly entries: Readonly<Record<string, string>>
}

export interface PackedPackage extends Package {
  readonly tarball: string
  /** The folder that holds the tarball's content. */
  readonly content: string
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

/** Builds every package and packs it into `destination`. */
export async function tarballsInto(destination: string): Promise<void> {
  await pnpm({ shown: false }, '--recursive', 'run', 'build')
  await pnpm({ shown: false }, '--recursive', '--filter', './packages/*', 'pack', '--pack-destination', destination)
}

/** The same, with each tarball unpacked beside itself. */
export async function packInto(destination: string): Promise<PackedPackage[]> {
  await tarballsInto(destination)
  return Promise.all(
    packages.map(async (one) => {
      const fileName = `${one.name.replace('@', '').replace('/', '-')}-${one.version}`
      const tarball = join(destination, `${fileName}.tgz`)
      const content = join(destination, fileName)
      await mkdir(content)
      await extract({ file: tarball, cwd: content, strip: 1 })
      return { ...one, tarball, content }
    }),
  )
}
