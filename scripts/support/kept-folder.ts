// Folders of files that take long to make, kept for the next script. Only a change of the files that they are made from makes them again.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

interface Making {
  /** Holds the kept folders. */
  readonly cache: string
  /** The files and folders that decide the result, except `node_modules` and `dist` inside. */
  readonly from: readonly string[]
  /** Fills an empty folder. */
  readonly make: (folder: string) => Promise<void>
}

/** A script may still read a folder that another script has replaced; after this time, in milliseconds, none does. */
const readFor = 3_600_000

/** The folder that `make` fills from the files as they are now. It is only to be read. */
export async function keptFolder({ cache, from, make }: Making): Promise<string> {
  const folder = join(cache, await contentOf(from))
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  await removeOld(cache)
  // Filled beside its final place and then renamed, so that two simultaneous scripts never see half a folder.
  const draft = await mkdtemp(join(cache, 'draft-'))
  try {
    await make(draft)
    const made = join(cache, await contentOf(from))
    // The files changed meanwhile, so nobody knows from which content the folder was made.
    if (made !== folder) return await keptFolder({ cache, from, make })
    await rename(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return folder
}

async function removeOld(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name)
    // Another script may have renamed or removed it meanwhile.
    const made = await stat(folder).catch(() => undefined)
    if (made && made.mtimeMs < Date.now() - readFor) await rm(folder, { recursive: true, force: true })
  }
}

/** A name for the content of files and folders and for the version of Node. */
async function contentOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  const add = async (path: string): Promise<void> => {
    if (!(await stat(path)).isDirectory()) {
      const content = await readFile(path)
      hash.update(`\n${path} ${content.length}\n`).update(content)
      return
    }
    for (const name of (await readdir(path)).sort())
      if (name !== 'node_modules' && name !== 'dist') await add(join(path, name))
  }
  for (const path of paths) await add(path)
  return hash.digest('hex')
}
