// Each pair once in plain JavaScript: the two points receive opposite terms. Arithmetic in doubles.

export function gravity({ count, position: p, mass, parameters: { G, softening } }, { acceleration: a }) {
  a.fill(0)
  for (let i = 0; i < count; i++) {
    const [x, y, z, m] = [p[3 * i], p[3 * i + 1], p[3 * i + 2], mass[i]]
    let [ax, ay, az] = [0, 0, 0]
    for (let j = 0; j < i; j++) {
      const dx = p[3 * j] - x
      const dy = p[3 * j + 1] - y
      const dz = p[3 * j + 2] - z
      const s = dx * dx + dy * dy + dz * dz + softening * softening
      const f = G / (s * Math.sqrt(s))
      const c = f * mass[j]
      const d = f * m
      ax += c * dx
      ay += c * dy
      az += c * dz
      a[3 * j] -= d * dx
      a[3 * j + 1] -= d * dy
      a[3 * j + 2] -= d * dz
    }
    a[3 * i] += ax
    a[3 * i + 1] += ay
    a[3 * i + 2] += az
  }
}

export function coulomb({ count, position: p, charge, parameters: { k } }, { force: f }) {
  f.fill(0)
  for (let i = 0; i < count; i++) {
    const [x, y, z, q] = [p[3 * i], p[3 * i + 1], p[3 * i + 2], -k * charge[i]]
    let [fx, fy, fz] = [0, 0, 0]
    for (let j = 0; j < i; j++) {
      const dx = p[3 * j] - x
      const dy = p[3 * j + 1] - y
      const dz = p[3 * j + 2] - z
      const r2 = dx * dx + dy * dy + dz * dz
      if (r2 === 0) continue
      const c = (q * charge[j]) / (r2 * Math.sqrt(r2))
      fx += c * dx
      fy += c * dy
      fz += c * dz
      f[3 * j] -= c * dx
      f[3 * j + 1] -= c * dy
      f[3 * j + 2] -= c * dz
    }
    f[3 * i] += fx
    f[3 * i + 1] += fy
    f[3 * i + 2] += fz
  }
}

export function lennardJones({ count, position: p, sigma, epsilon, parameters }, { force: f }) {
  const { cutoff, boxX, boxY, boxZ } = parameters
  const [perX, perY, perZ] = [1 / boxX, 1 / boxY, 1 / boxZ]
  const depth = epsilon.map(Math.sqrt)
  f.fill(0)
  for (let i = 0; i < count; i++) {
    const [x, y, z, e] = [p[3 * i], p[3 * i + 1], p[3 * i + 2], -24 * depth[i]]
    let [fx, fy, fz] = [0, 0, 0]
    for (let j = 0; j < i; j++) {
      let dx = p[3 * j] - x
      let dy = p[3 * j + 1] - y
      let dz = p[3 * j + 2] - z
      dx -= boxX * Math.round(dx * perX)
      dy -= boxY * Math.round(dy * perY)
      dz -= boxZ * Math.round(dz * perZ)
      const r2 = dx * dx + dy * dy + dz * dz
      if (r2 > cutoff * cutoff || r2 === 0) continue
      const s = 0.5 * (sigma[i] + sigma[j])
      const s2 = (s * s) / r2
      const s6 = s2 * s2 * s2
      const c = (e * depth[j] * s6 * (2 * s6 - 1)) / r2
      fx += c * dx
      fy += c * dy
      fz += c * dz
      f[3 * j] -= c * dx
      f[3 * j + 1] -= c * dy
      f[3 * j + 2] -= c * dz
    }
    f[3 * i] += fx
    f[3 * i + 1] += fy
    f[3 * i + 2] += fz
  }
}

export function gaussian({ count, position: p, weight, parameters: { height, width } }, { potential }) {
  const steepness = -0.5 / (width * width)
  potential.fill(0)
  for (let i = 0; i < count; i++) {
    const [x, y, z, w] = [p[3 * i], p[3 * i + 1], p[3 * i + 2], height * weight[i]]
    let total = 0
    for (let j = 0; j < i; j++) {
      const dx = p[3 * j] - x
      const dy = p[3 * j + 1] - y
      const dz = p[3 * j + 2] - z
      const c = w * weight[j] * Math.exp(steepness * (dx * dx + dy * dy + dz * dz))
      total += c
      potential[j] += c
    }
    potential[i] += total
  }
}
