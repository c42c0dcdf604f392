// The browser, its fonts and the software GPU from @sparticuz/chromium, unpacked once into a cache folder of this repository. Atomic: it is
// unpacked beside its final place and then renamed, so two simultaneous runs never see half a folder. It starts nothing and sets nothing:
// see chromium.ts and software-gpu.ts.

import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { extract } from 'tar'

const packageFolder = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../..')
const cacheFolder = fileURLToPath(new URL('../node_modules/.cache/manybody', import.meta.url))

/** The folder that holds `chromium`, `fonts.conf`, `libvulkan.so.1`, `vk_swiftshader_icd.json` and `lib/`; unpacks it when absent. */
export async function unpackedFolder(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`Cannot unpack the test browser on ${process.platform} ${process.arch}: it is built for linux x64`)
  }
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const folder = join(cacheFolder, `browser-${version}`)
  if (await exists(folder)) return folder

  await mkdir(cacheFolder, { recursive: true })
  const draft = await mkdtemp(join(cacheFolder, 'draft-'))
  try {
    await Promise.all([
      decompress('chromium.br', createWriteStream(join(draft, 'chromium'), { mode: 0o755 })),
      decompress('swiftshader.tar.br', extract({ cwd: draft, preserveOwner: false })),
      decompress('al2023.tar.br', extract({ cwd: draft, preserveOwner: false })),
      decompress('fonts.tar.br', extract({ cwd: draft, preserveOwner: false })),
    ])
    // The unpacked file names folders in the package's usual place.
    await writeFile(join(draft, 'fonts.conf'), fontConfiguration(folder))
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!(await exists(folder))) throw error
  }
  return folder
}

const fontConfiguration = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`

async function decompress(name: string, into: NodeJS.WritableStream): Promise<void> {
  await pipeline(createReadStream(join(packageFolder, 'bin', name)), createBrotliDecompress(), into)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
