import FrostCore

/// A blur whose definition can be evaluated in double precision. Every kind of blur that Frost has conforms.
protocol ExactBlur: Blur {
    func exact(_ request: ExactRequest) throws(ExactError) -> ExactImage
}

/// The image and the region for which a definition is evaluated.
///
/// SAFETY: the source outlives the call.
@safe struct ExactRequest {
    let source: PixelSource
    let extent: Rect
    let region: Rect
    let mask: MaskImage?
    /// The rectangle over which the mask is stretched; nil for the extent.
    let maskBounds: Rect?
    let threads: Int
    let cancellation: Cancellation?

    init(
        source: PixelSource, extent: Rect, region: Rect, mask: MaskImage?, maskBounds: Rect?, threads: Int,
        cancellation: Cancellation?
    ) {
        unsafe self.source = source
        self.extent = extent
        self.region = region
        self.mask = mask
        self.maskBounds = maskBounds
        self.threads = threads
        self.cancellation = cancellation
    }
}

extension GaussianBlur: ExactBlur {
    func exact(_ request: ExactRequest) throws(ExactError) -> ExactImage {
        try unsafe ExactGaussian.render(
            self, source: request.source, extent: request.extent, region: request.region, threads: request.threads,
            cancellation: request.cancellation)
    }
}

extension ProportionalBlur: ExactBlur {
    func exact(_ request: ExactRequest) throws(ExactError) -> ExactImage {
        try rethrow(gaussian(extent: request.extent), as: ExactError.parameter).exact(request)
    }
}

extension BoxBlur: ExactBlur {
    func exact(_ request: ExactRequest) throws(ExactError) -> ExactImage {
        try unsafe ExactBox.render(
            self, source: request.source, extent: request.extent, region: request.region, threads: request.threads,
            cancellation: request.cancellation)
    }
}

extension Mosaic: ExactBlur {
    func exact(_ request: ExactRequest) throws(ExactError) -> ExactImage {
        try unsafe ExactMosaic.render(
            self, source: request.source, extent: request.extent, region: request.region, threads: request.threads,
            cancellation: request.cancellation)
    }
}

extension VariableBlur: ExactBlur {
    func exact(_ request: ExactRequest) throws(ExactError) -> ExactImage {
        try unsafe ExactVariable.render(
            self, source: request.source, extent: request.extent, region: request.region, mask: request.mask,
            over: request.maskBounds, threads: request.threads, cancellation: request.cancellation)
    }
}

extension DiscBlur: ExactBlur {
    func exact(_ request: ExactRequest) throws(ExactError) -> ExactImage {
        try ExactKernel2D(self).render(request, of: self)
    }
}

extension MotionBlur: ExactBlur {
    func exact(_ request: ExactRequest) throws(ExactError) -> ExactImage {
        try ExactKernel2D(self).render(request, of: self)
    }
}

extension ZoomBlur: ExactBlur {
    func exact(_ request: ExactRequest) throws(ExactError) -> ExactImage {
        try ExactKernel2D(self).render(request, of: self)
    }
}

extension ExactKernel2D {
    fileprivate func render(_ request: ExactRequest, of blur: some Blur) throws(ExactError) -> ExactImage {
        let format = unsafe blur.outputFormat(for: request.source.layout.format)
        return try unsafe render(
            request.source, extent: request.extent, region: request.region, channels: format.channels.canonical,
            threads: request.threads, cancellation: request.cancellation)
    }
}
