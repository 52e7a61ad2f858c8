//! The usual set-up of `tracing` with OpenTelemetry, with one thing for tools:
//! the unit and the buckets of their durations.

use std::error::Error;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{MetricExporter, SpanExporter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{Aggregation, Instrument, SdkMeterProvider, Stream};
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_opentelemetry::{MetricsLayer, OpenTelemetryLayer};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

pub struct Exporters {
    spans: SdkTracerProvider,
    metrics: SdkMeterProvider,
}

pub fn start(service: &'static str) -> Result<Exporters, Box<dyn Error>> {
    let resource = Resource::builder().with_service_name(service).build();
    let spans = SdkTracerProvider::builder()
        .with_resource(resource.clone())
        .with_batch_exporter(SpanExporter::builder().with_http().build()?)
        .build();
    let metrics = SdkMeterProvider::builder()
        .with_resource(resource)
        .with_periodic_exporter(MetricExporter::builder().with_http().build()?)
        .with_view(durations)
        .build();
    tracing_subscriber::registry()
        .with(LevelFilter::INFO)
        .with(OpenTelemetryLayer::new(spans.tracer(service)))
        .with(MetricsLayer::new(metrics.clone()))
        .try_init()?;
    Ok(Exporters { spans, metrics })
}

impl Exporters {
    /// Sends what has not been sent yet.
    pub fn stop(&self) -> Result<(), Box<dyn Error>> {
        self.spans.shutdown()?;
        self.metrics.shutdown()?;
        Ok(())
    }
}

/// What the conventions ask for: seconds, from 10 ms to 82 s. An event of
/// `tracing` can say neither.
fn durations(instrument: &Instrument) -> Option<Stream> {
    if instrument.name() != "gen_ai.execute_tool.duration" {
        return None;
    }
    let buckets = Aggregation::ExplicitBucketHistogram {
        boundaries: (0..14).map(|power| 0.01 * f64::from(1 << power)).collect(),
        record_min_max: true,
    };
    let stream = Stream::builder().with_unit("s").with_aggregation(buckets);
    stream.build().ok()
}
