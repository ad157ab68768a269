import type { DatabaseSync } from 'node:sqlite'

const things = {
  books: ['notebook', 'atlas', 'cookbook', 'dictionary', 'picture book'],
  electronics: ['keyboard', 'headphones', 'charger', 'speaker', 'webcam'],
  garden: ['watering can', 'trowel', 'planter', 'hose', 'bird house'],
  home: ['desk lamp', 'curtain', 'cushion', 'mirror', 'clock'],
  kitchen: ['kettle', 'frying pan', 'knife', 'teapot', 'bread box'],
  office: ['stapler', 'desk', 'chair', 'file box', 'whiteboard'],
  sport: ['football', 'yoga mat', 'skipping rope', 'tent', 'bottle'],
  toys: ['puzzle', 'kite', 'toy train', 'building blocks', 'spinning top'],
}
const variants = ['small', 'medium', 'large', 'classic', 'compact']
const warehouses = ['main', 'reserve']
const statuses = ['placed', 'paid', 'shipped', 'delivered', 'delivered', 'delivered', 'cancelled']
const regions = ['north', 'south', 'east', 'west']

const orderCount = 500
const customerCount = 60
const dayCount = 120
const firstDay = Date.UTC(2026, 0, 1)

/** Fills empty tables: 200 products, 500 orders, the same each time. */
export function seed(shop: DatabaseSync): void {
  const random = createRandom(7)
  const prices = seedProducts(shop, random)
  const addOrder = shop.prepare('INSERT INTO orders VALUES (?, ?, ?, ?, ?)')
  const addItem = shop.prepare('INSERT INTO order_items VALUES (?, ?, ?, ?, ?)')
  for (let index = 0; index < orderCount; index++) {
    const order = `order-${pad(index + 1, 4)}`
    const customer = `customer-${pad(1 + random(customerCount), 3)}`
    const status = pick(statuses, random)
    addOrder.run(order, customer, status, pick(regions, random), toDay(index))
    const lines = 1 + random(4)
    for (let line = 1; line <= lines; line++) {
      const [product, cents] = pick(prices, random)
      addItem.run(order, line, product, 1 + random(3), cents)
    }
  }
}

function seedProducts(shop: DatabaseSync, random: Random): [id: string, cents: number][] {
  const addProduct = shop.prepare('INSERT INTO products VALUES (?, ?, ?, ?)')
  const addStock = shop.prepare('INSERT INTO stock VALUES (?, ?, ?)')
  const kinds = Object.entries(things).flatMap(([category, names]) =>
    names.flatMap((name) => variants.map((variant) => ({ category, name: `${variant} ${name}` }))),
  )
  return kinds.map(({ category, name }, index) => {
    const product = `product-${pad(index + 1, 3)}`
    const cents = 500 + random(300) * 50 - 1
    addProduct.run(product, name, category, cents)
    for (const warehouse of warehouses) addStock.run(product, warehouse, random(80))
    return [product, cents]
  })
}

/** Orders are spread evenly over the days, in the order of their numbers. */
function toDay(index: number): string {
  const day = Math.floor((index * dayCount) / orderCount)
  return new Date(firstDay + day * 86_400_000).toISOString().slice(0, 10)
}

type Random = (below: number) => number

/** Whole numbers that look random and come out the same for the same seed. */
function createRandom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)] as T
}

function pad(number: number, digits: number): string {
  return String(number).padStart(digits, '0')
}
