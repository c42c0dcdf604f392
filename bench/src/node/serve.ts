/** Serves files to a local browser, as a static server would: isolated from other origins unless told otherwise. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import type { BundledFile } from './bundle.ts'

export interface Served {
  readonly address: string
  close(): void
}

const page =
  '<!doctype html><meta charset="utf-8"><title>Benchmark</title><script type="module" src="main.js"></script>'

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' }

/** Isolated pages may share memory between threads. */
const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

/** The files and, if they lack an `index.html`, a page that loads `main.js`. */
export async function serve(files: readonly BundledFile[], { isolated = true } = {}): Promise<Served> {
  const server = createServer(({ url = '/' }, response) => {
    const name = new URL(url, 'http://localhost').pathname.slice(1) || 'index.html'
    const contents = files.find((file) => file.name === name)?.contents ?? (name === 'index.html' ? page : undefined)
    response.writeHead(contents === undefined ? 404 : 200, {
      'Content-Type': types[extname(name)] ?? 'application/octet-stream',
      ...(isolated ? isolation : {}),
    })
    response.end(contents)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return { address: `http://localhost:${port}/`, close: () => server.close() }
}
