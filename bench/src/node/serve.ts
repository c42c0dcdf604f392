/** Serves files to a local browser, isolated from other origins, so that memory may be shared between threads. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BundledFile } from './bundle.ts'

export interface Served {
  readonly address: string
  close(): void
}

const page =
  '<!doctype html><meta charset="utf-8"><title>Benchmark</title><script type="module" src="main.js"></script>'

/** A page that loads `main.js` of the files. */
export async function serve(files: readonly BundledFile[]): Promise<Served> {
  const server = createServer(({ url = '/' }, response) => {
    const name = new URL(url, 'http://localhost').pathname.slice(1)
    const contents = name === '' ? page : files.find((file) => file.name === name)?.contents
    response.writeHead(contents === undefined ? 404 : 200, {
      'Content-Type': name === '' ? 'text/html' : 'text/javascript',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    })
    response.end(contents)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return { address: `http://localhost:${port}/`, close: () => server.close() }
}
