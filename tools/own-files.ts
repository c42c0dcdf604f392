/** Lists the files of this repository by reading its folders, because a machine may have no git. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './pnpm.mjs'

/** Installed and generated folders. Of the hidden ones, only that of the changes has text of ours. */
const notOurs = /^(node_modules|dist|output|\.(?!changeset$).*)$/

/** All files below a folder, as paths from the root. */
export function ownFiles(folder: string = ''): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (!entry.isDirectory()) return path
    return notOurs.test(entry.name) ? [] : ownFiles(path)
  })
}
