import { z } from 'zod'
import { checkStock, getProduct, searchProducts } from '../shop/products.ts'
import { createMallTool, reads } from './tool.ts'

const productId = z.string().min(1).describe('Number of the product, such as product-042')

const product = z.object({
  productId: z.string(),
  name: z.string(),
  category: z.string(),
  price: z.number().describe('In CNY'),
})

export const productTools = [
  createMallTool({
    name: 'mall4j.product.search',
    title: 'Search products',
    description: 'Products whose name holds a keyword, cheapest first.',
    input: z.strictObject({
      keyword: z.string().describe('Such as lamp; empty for every product'),
      category: z.string().optional().describe('Such as kitchen'),
      maxPrice: z.number().min(0).optional().describe('In CNY'),
      limit: z.int().min(1).max(100).default(20),
    }),
    output: z.object({ products: z.array(product), total: z.int() }),
    annotations: reads,
    run: searchProducts,
  }),
  createMallTool({
    name: 'mall4j.product.get',
    title: 'Product details',
    description: 'One product: name, category and price.',
    input: z.strictObject({ productId }),
    output: product,
    annotations: reads,
    run: (shop, args) => getProduct(shop, args.productId),
  }),
  createMallTool({
    name: 'mall4j.stock.check',
    title: 'Check stock',
    description: 'How many pieces of a product each warehouse has, and whether that is enough.',
    input: z.strictObject({ productId, quantity: z.int().min(1).default(1) }),
    output: z.object({
      productId: z.string(),
      available: z.int(),
      enough: z.boolean(),
      warehouses: z.array(z.object({ warehouse: z.string(), quantity: z.int() })),
    }),
    annotations: reads,
    run: (shop, args) => checkStock(shop, args.productId, args.quantity),
  }),
]
