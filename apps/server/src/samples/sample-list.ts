import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RegisteredServer } from '@dataagent/hub'
import { sampleProgram } from '../places.ts'

/** A server that comes with the product, to try it with. */
export interface Sample {
  name: string
  /** What is started: options of Node, the program, and what it is told. */
  args: string[]
  /** Where its data lies; undefined keeps it in memory. */
  folder: string | undefined
  /** In both languages: who reads it may have another one than the terminal. */
  description: string
  trigger_keywords: string[]
}

/** Young objects are few here, and room for them is half of such a program's memory. */
const lean = '--max-semi-space-size=1'

/** Those that are there: a copy of the server alone has none. */
export function listSamples(dataDir: string | undefined): Sample[] {
  return [mallSample(dataDir), clinicSample(dataDir)].filter(({ args }) =>
    args.some((arg) => program.test(arg) && existsSync(arg)),
  )
}

/** Wherever the product lay when it was registered. */
const program = /[\\/]examples[\\/](mall|clinic)[\\/]main\.[jt]s$/

/** Whether a server is one of the samples, under whatever name by now. */
export function isSample({ user_id, config }: RegisteredServer): boolean {
  if (user_id !== null || config.transport !== 'stdio') return false
  return config.args.some((arg) => program.test(arg))
}

function mallSample(dataDir: string | undefined): Sample {
  const folder = dataDir && join(dataDir, 'samples', 'mall')
  const kept = folder ? ['--db', join(folder, 'mall.db')] : []
  const { file } = sampleProgram('mall')
  return {
    name: 'mall',
    folder,
    args: [lean, file, '--transport', 'stdio', ...kept],
    description:
      'Sample data: orders, products, stock and sales of a shop. 示例数据：一家商城的订单、商品、库存与销售。',
    trigger_keywords: [
      ...['order', 'orders', 'product', 'products', 'stock', 'sales', 'shop', 'mall'],
      ...['订单', '商品', '产品', '库存', '销售', '商城'],
    ],
  }
}

function clinicSample(dataDir: string | undefined): Sample {
  const folder = dataDir && join(dataDir, 'samples', 'clinic')
  const kept = folder ? [join(folder, 'clinic.db')] : []
  const { file, nodeArgs } = sampleProgram('clinic')
  return {
    name: 'clinic',
    folder,
    args: [lean, ...nodeArgs, file, ...kept],
    description:
      'Sample data: customers, visits and services of a clinic. 示例数据：一家医美诊所的客户、咨询、治疗与项目。',
    trigger_keywords: [
      ...[
        'clinic',
        'user',
        'users',
        'customer',
        'consultation',
        'treatment',
        'service',
        'services',
      ],
      ...['诊所', '医美', '用户', '客户', '咨询', '治疗', '疗程', '项目'],
    ],
  }
}
