// The tarballs of the packages, as npm would receive them. It checks nothing; the scripts beside it do.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { extract } from 'tar'
import { pnpm, root } from '../tools/pnpm.mjs'
import { type Package, packages, tarballOf } from './packages.ts'
import { keptFolder } from './support/kept-folder.ts'

export interface PackedPackage extends Package {
  readonly tarball: string
  /** The folder that holds the tarball's content. */
  readonly content: string
}

/** Builds every package and packs it into `destination`. */
export async function tarballsInto(destination: string): Promise<void> {
  await pnpm({ shown: false }, '--recursive', 'run', 'build')
  await pnpm({ shown: false }, '--recursive', '--filter', './packages/*', 'pack', '--pack-destination', destination)
}

/** The files and folders that decide the content of the tarballs. */
const sources = [
  'packages',
  'LICENSE',
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'scripts/packed.ts',
  'tsconfig.base.json',
  'tsdown.config.base.ts',
]

/** All packages as they are now, packed, and unpacked beside that. The tests and the check of the tarballs share the files: only read them. */
export async function packedPackages(): Promise<readonly PackedPackage[]> {
  const placed = (folder: string): readonly PackedPackage[] =>
    packages.map((one) => {
      const tarball = join(folder, tarballOf(one))
      return { ...one, tarball, content: tarball.replace(/\.tgz$/, '') }
    })
  const folder = await keptFolder({
    cache: join(root, 'node_modules/.cache/manybody-packed'),
    from: sources.map((path) => join(root, path)),
    async make(draft) {
      await tarballsInto(draft)
      for (const { tarball, content } of placed(draft)) {
        await mkdir(content)
        await extract({ file: tarball, cwd: content, strip: 1 })
      }
    },
  })
  return placed(folder)
}
