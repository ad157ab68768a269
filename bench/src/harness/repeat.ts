/** Does `work` `count` times, `atOnce` of them under way at any moment. */
export async function repeat(count: number, atOnce: number, work: () => Promise<unknown>) {
  let left = count
  const hand = async () => {
    while (left > 0) {
      left -= 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, hand))
}
