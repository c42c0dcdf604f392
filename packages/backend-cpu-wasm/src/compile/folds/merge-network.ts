/**
 * Networks of comparisons that keep the least items that targets meet, in all lanes at once and without a branch.
 *
 * @source Batcher (1968), "Sorting networks and their applications"
 * @module
 */

/** How many items are merged with those that are kept. */
export const mergedAtOnce = 8

/** How many items are kept for the k-th least: a power of two. */
export const keptItems = (k: number): number => Math.max(mergedAtOnce, 2 ** Math.ceil(Math.log2(k)))

/** The pairs of places that sort eight items. */
const sorting = '01 23 45 67 02 13 46 57 12 56 04 15 26 37 24 35 12 34 56'
  .split(' ')
  .map((pair) => [...pair].map(Number))

/** The pairs that sort items which first increase and then decrease, or the other way round. */
function merging(items: number): number[][] {
  const pairs: number[][] = []
  for (let apart = items / 2; apart >= 1; apart /= 2)
    for (let n = 0; n < items; n++) if ((n & apart) === 0) pairs.push([n, n + apart])
  return pairs
}

/**
 * The least of `kept`, which are sorted, and of eight others, as many as were kept and sorted.
 *
 * @param exchange puts the lesser of two items first
 */
export function mergeLeast<Item>(
  kept: readonly Item[],
  others: readonly Item[],
  exchange: (a: Item, b: Item) => readonly [Item, Item],
): readonly Item[] {
  const by = (items: Item[], network: number[][]) => {
    for (const [low, high] of network as [number, number][])
      [items[low], items[high]] = exchange(items[low] as Item, items[high] as Item)
    return items
  }
  const sorted = by([...others], sorting)
  // The lesser of each item and its counterpart are the least of both lists, in an order that `merging` sorts.
  const least = kept.map((item, n) => {
    const other = sorted[kept.length - 1 - n]
    return other === undefined ? item : exchange(item, other)[0]
  })
  return by(least, merging(least.length))
}
