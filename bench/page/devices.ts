/** The device of each backend in this browser: hardware, software, the processor, or the reason why it found none. */

import type { Probe } from '@manybody/core'
import { backends } from 'manybody'
import { html, type Markup } from '../src/report/html/markup.ts'

export interface Found {
  readonly backend: string
  readonly probe: Probe
}

export function findDevices(): Promise<readonly Found[]> {
  return Promise.all(backends().map(async (backend) => ({ backend: backend.name, probe: await backend.probe() })))
}

const kinds = {
  hardware: 'graphics hardware',
  software: 'the processor computes',
  cpu: 'the processor',
} as const

export function deviceRow({ backend, probe }: Found): Markup {
  if (!probe.available)
    return html`<tr><th scope="row">${backend}</th><td class="wrap" colspan="2">not available: ${probe.reason}</td></tr>`
  const pill = probe.kind === 'software' && html`<span class="pill software">software</span> `
  return html`<tr><th scope="row">${backend}</th><td class="wrap">${probe.device}</td><td class="wrap">${pill}${kinds[probe.kind]}</td></tr>`
}

export function isolationText(): string {
  const threads = navigator.hardwareConcurrency
  return crossOriginIsolated
    ? `Memory can be shared between threads here: cpu-wasm may use all ${threads} of this machine.`
    : `Memory cannot be shared between threads here, as this page is not cross-origin isolated: cpu-wasm may use all ${threads} on copies, which only large problems gain from.`
}
