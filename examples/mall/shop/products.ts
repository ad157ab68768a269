import { type Shop, ShopError } from './shop.ts'

export interface Product {
  productId: string
  name: string
  category: string
  price: number
}

const products =
  'SELECT product_id AS productId, name, category, cents / 100.0 AS price FROM products'

export function getProduct(shop: Shop, productId: string): Product {
  const product = shop.prepare(`${products} WHERE product_id = ?`).get(productId)
  if (product) return { ...product } as unknown as Product
  throw new ShopError(`There is no product ${productId}. Use mall4j.product.search to find one.`)
}

export interface ProductQuery {
  keyword: string
  category?: string | undefined
  maxPrice?: number | undefined
  limit: number
}

/** Products whose name holds the keyword, cheapest first, and how many there are in all. */
export function searchProducts(shop: Shop, { keyword, category, maxPrice, limit }: ProductQuery) {
  const found = shop
    .prepare(
      `${products} WHERE instr(lower(name), lower(?)) > 0 AND category = coalesce(?, category)
      AND cents <= coalesce(?, cents) ORDER BY cents, product_id`,
    )
    .all(keyword, category ?? null, maxPrice === undefined ? null : Math.round(maxPrice * 100))
  const page = found.slice(0, limit).map((row) => ({ ...row }) as unknown as Product)
  return { products: page, total: found.length }
}

/** What each warehouse has of a product, and whether that is enough. */
export function checkStock(shop: Shop, productId: string, quantity: number) {
  getProduct(shop, productId)
  const rows = shop
    .prepare('SELECT warehouse, quantity FROM stock WHERE product_id = ? ORDER BY warehouse')
    .all(productId)
  const warehouses = rows.map((row) => ({
    warehouse: String(row.warehouse),
    quantity: Number(row.quantity),
  }))
  const available = warehouses.reduce((sum, { quantity }) => sum + quantity, 0)
  return { productId, available, enough: available >= quantity, warehouses }
}
