// The tarballs of the packages, as npm would receive them. It checks nothing; the scripts beside it do.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { extract } from 'tar'
import { pnpm } from '../tools/pnpm.mjs'
import { type Package, packages, tarballOf } from './packages.ts'

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

/** Packs all packages, and unpacks each tarball beside itself. */
export async function packInto(destination: string): Promise<PackedPackage[]> {
  await tarballsInto(destination)
  return Promise.all(
    packages.map(async (one) => {
      const tarball = join(destination, tarballOf(one))
      const content = tarball.replace(/\.tgz$/, '')
      await mkdir(content)
      await extract({ file: tarball, cwd: content, strip: 1 })
      return { ...one, tarball, content }
    }),
  )
}
