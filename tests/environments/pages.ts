// Serves folders of built pages to the browser, each under several conditions. The first part of a path selects the headers.

import { readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.html': 'text/html',
}

/** Headers by the name of a condition. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string>>>>

/** With both, threads share memory. */
export const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
} as const

/** Serves `site` as `<address>/<condition>/...`, until the server is closed. */
export async function servePages(site: string, conditions: Conditions): Promise<{ server: Server; address: string }> {
  const server = createServer(({ url = '/' }, response) => {
    const [, condition = '', ...path] = new URL(url, 'http://page').pathname.split('/')
    let file = join(site, ...path.map(decodeURIComponent))
    try {
      if (statSync(file).isDirectory()) file = join(file, 'index.html')
      const body = readFileSync(file)
      response
        .writeHead(200, { 'Content-Type': types[extname(file)] ?? 'text/plain', ...conditions[condition] })
        .end(body)
    } catch {
      response.writeHead(404, conditions[condition]).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
