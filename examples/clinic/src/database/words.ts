/** Words of the clinic, as the tables and the tools spell them. */
export const concerns = [
  '色斑',
  '痘痘',
  '痘印',
  '毛孔粗大',
  '细纹',
  '松弛',
  '暗沉',
  '敏感泛红',
  '脱发',
  '多余毛发',
] as const
export type Concern = (typeof concerns)[number]

/** What speaks against a treatment. */
export const cautions = ['孕期或哺乳期', '瘢痕体质', '光敏', '利多卡因过敏', '服用抗凝药'] as const
export type Caution = (typeof cautions)[number]

export const roles = ['customer', 'consultant', 'doctor', 'admin'] as const
export const serviceCategories = ['光电', '注射', '皮肤护理', '毛发'] as const
export const skinTypes = ['干性', '油性', '混合性', '敏感性', '中性'] as const
export const channels = ['微信', '电话', '到店', '小程序'] as const
export const outcomes = ['已预约', '考虑中', '未成交'] as const
export const cities = ['上海', '北京', '深圳', '杭州', '成都', '广州', '南京', '武汉'] as const

export const surnames = '王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗'
export const givenNames = {
  女: [
    '芳',
    '娜',
    '敏',
    '静',
    '丽',
    '婷',
    '雪',
    '慧',
    '欣怡',
    '梓涵',
    '雨桐',
    '思琪',
    '佳宁',
    '诗涵',
    '晓燕',
  ],
  男: [
    '伟',
    '强',
    '磊',
    '军',
    '洋',
    '勇',
    '杰',
    '涛',
    '浩然',
    '子轩',
    '宇航',
    '博文',
    '俊杰',
    '志强',
    '明哲',
  ],
} as const
