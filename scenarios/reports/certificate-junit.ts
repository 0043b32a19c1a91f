import { XMLBuilder } from 'fast-xml-parser';
import { type Certificate, sinceText } from '../../judge/client/certificate.ts';
import { limits } from '../../judge/client/limits.ts';
import { countOf } from '../../judge/verdict.ts';
import { xmlText } from './junit.ts';

/** The report on a client as JUnit XML: a testcase for each point; an unobserved one is skipped. */
export function certificateJunit(certificate: Certificate): string {
  const { run, points, seed } = certificate;
  const time = ((run.endMs - run.startMs) / 1_000).toFixed(3);
  const counts = {
    '@tests': points.length,
    '@failures': countOf(points, 'failed'),
    '@errors': 0,
    '@skipped': countOf(points, 'not-seen'),
    '@time': time,
  };
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    format: true,
    indentBy: '  ',
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
  });
  const body: unknown = builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'boxtwin certify-client',
      testsuite: {
        '@name': 'certify-client',
        ...counts,
        properties: { property: { '@name': 'seed', '@value': seed } },
        testcase: points.map(({ name, about, result, text, findings }) => ({
          '@classname': 'certify-client',
          '@name': name,
          '@time': 0,
          ...(result === 'not-seen' ? { skipped: { '@message': xmlText(text) } } : {}),
          ...(result === 'failed'
            ? {
                failure: {
                  '@type': 'point',
                  '@message': xmlText(text),
                  '#text': xmlText(
                    [
                      `A good client: ${about}`,
                      ...findings
                        .slice(0, limits.evidence)
                        .map((one) => `${sinceText(run, one)}  ${one.text}`),
                    ].join('\n'),
                  ),
                },
              }
            : {}),
        })),
      },
    },
  });
  return String(body);
}
