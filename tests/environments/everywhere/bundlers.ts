// The bundlers, called as their users call them: from a folder with `page.js` and `index.html` to a folder with the built page. The
// packages are installed in the folder. Rollup, webpack and Parcel come from `tests/bundlers`.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build as esbuild } from 'esbuild'
import { build as vite } from 'vite'
import { root } from '../../../tools/pnpm.mjs'

const home = join(root, 'tests/bundlers')
const require = createRequire(join(home, 'package.json'))
const load = async (name: string) => import(pathToFileURL(require.resolve(name)).href)

/** Installs the bundlers of `tests/bundlers`, unless that is done already. */
export async function installBundlers(): Promise<void> {
  const stamp = join(home, 'node_modules/.installed')
  const wanted = createHash('sha256')
    .update(readFileSync(join(home, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: home })
  writeFileSync(stamp, wanted)
}

const html = (script: string) => `<!doctype html><title>page</title><script type="module" src="${script}"></script>`

type Bundler = (app: string, folder: string) => Promise<void>

export const bundlers: Readonly<Record<string, Bundler>> = {
  async esbuild(app, folder) {
    await esbuild({
      entryPoints: [join(app, 'page.js')],
      outdir: folder,
      ...({ bundle: true, splitting: true, format: 'esm', target: 'es2022', logLevel: 'silent' } as const),
    })
    await writeFile(join(folder, 'index.html'), html('page.js'))
  },
  async Vite(app, folder) {
    await vite({ root: app, base: './', logLevel: 'silent', build: { outDir: folder } })
  },
  async Rollup(app, folder) {
    const { rollup } = await load('rollup')
    const { nodeResolve } = await load('@rollup/plugin-node-resolve')
    const bundle = await rollup({
      input: join(app, 'page.js'),
      plugins: [nodeResolve({ browser: true })],
      onLog: () => {},
    })
    await bundle.write({ dir: folder, format: 'es' })
    await bundle.close()
    await writeFile(join(folder, 'index.html'), html('page.js'))
  },
  async webpack(app, folder) {
    const { default: webpack } = await load('webpack')
    const options = {
      mode: 'production',
      context: app,
      entry: './page.js',
      // Minifying takes a minute, and shows nothing here.
      optimization: { minimize: false },
      output: { path: folder, filename: 'page.js', publicPath: 'auto' },
    }
    const stats = await new Promise<{ compilation: { errors: readonly Error[] } }>((resolve, reject) => {
      webpack(options, (error: Error | null, result: never) => (error ? reject(error) : resolve(result)))
    })
    const errors = stats.compilation.errors.filter(({ message }) => !/Can't resolve '(webgpu|gpu\.js)'/.test(message))
    if (errors[0]) throw errors[0]
    await writeFile(join(folder, 'index.html'), html('page.js'))
  },
  /** Uses the two settings that docs/installing.md names. */
  async Parcel(app, folder) {
    const manifest = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'))
    const settings = {
      '@parcel/resolver-default': { packageExports: true },
      alias: { webgpu: false, 'gpu.js': false },
    }
    // Parcel reads settings of the project that other bundlers do not need, so it gets a copy.
    const own = `${app}-for-parcel`
    await cp(app, own, { recursive: true, filter: (path) => path !== dirname(folder) })
    await writeFile(join(own, 'package.json'), JSON.stringify({ ...manifest, ...settings }))
    const parcel = join(home, 'node_modules/parcel/lib/bin.js')
    const options = ['--dist-dir', folder, '--no-cache', '--no-source-maps', '--public-url', './']
    await promisify(execFile)(process.execPath, [parcel, 'build', 'index.html', ...options], { cwd: own })
  },
}
