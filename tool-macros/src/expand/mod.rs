//! The code of a checked tool. Cannot fail, and checks nothing.
//!
//! Everything is named by a path that no name of the user's can hide. All but
//! the handle lives in a `const _` or in a function, so that the user's
//! namespace stays as it is. There is no derive and no generic code of the
//! tool's own: per tool the compiler sees one static and a few short functions.

mod running;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, ExprLit, Lit};

use crate::model::Tool;
use crate::parameter::{Argument, Input, Whole};

/// The items that declare a tool: the static `__DECLARATION` and what it
/// needs. `callee` is the path of the user's function.
pub(crate) fn declaration(tool: &Tool, callee: &TokenStream) -> TokenStream {
    let name = &tool.name;
    let title = option(tool.keys.title.as_ref());
    let description = tool.docs.to_constant();
    let items = parameter_items(tool);
    let input = input(tool);
    let output = &tool.output;
    let options = options(tool);
    let state = tool.inputs.iter().filter_map(|input| match input {
        Input::State(ty) => Some(quote! {
            __tool::StateType { id: __tool::type_id::<#ty>, name: __tool::type_name::<#ty> }
        }),
        _ => None,
    });
    let uses_context = tool
        .inputs
        .iter()
        .any(|input| matches!(input, Input::Context));
    let invoke = invoke(tool, callee);
    let approval_if = running::approval_if(tool);
    let output_of = quote_spanned!(place(output)=> <#output as __tool::IntoOutput>::output_schema);
    quote! {
        #items
        #invoke
        #approval_if
        fn __blueprint() -> &'static __tool::OnceLock<__tool::Blueprint> {
            static BLUEPRINT: __tool::OnceLock<__tool::Blueprint> = __tool::OnceLock::new();
            &BLUEPRINT
        }
        static __DECLARATION: __tool::Declaration = __tool::Declaration {
            name: #name,
            title: #title,
            description: #description,
            input: #input,
            output: #output_of,
            options: #options,
            state: &[#(#state),*],
            uses_context: #uses_context,
            invoke: __invoke,
            blueprint: __blueprint,
            site: __tool::Site { file: ::core::file!(), line: ::core::line!() },
        };
    }
}

/// Where an error about these tokens is shown. Names are resolved at the
/// attribute all the same: in a `macro_rules!` the tokens may come from elsewhere.
fn place(tokens: &impl syn::spanned::Spanned) -> Span {
    tokens.span().resolved_at(Span::call_site())
}

fn option<T: ToTokens>(value: Option<T>) -> TokenStream {
    match value {
        Some(value) => quote!(__tool::Option::Some(#value)),
        None => quote!(__tool::Option::None),
    }
}

fn options(tool: &Tool) -> TokenStream {
    let keys = &tool.keys;
    let mut fields = Vec::new();
    if let Some(timeout) = keys.timeout {
        let timeout = std::time::Duration::from_secs_f64(timeout);
        let (seconds, nanoseconds) = (timeout.as_secs(), timeout.subsec_nanos());
        fields.push(quote! {
            timeout: __tool::Option::Some(__tool::Duration::new(#seconds, #nanoseconds))
        });
    }
    if keys.interrupt {
        fields.push(quote!(kind: __tool::Kind::Interrupt));
    }
    if keys.approval {
        fields.push(quote!(approval: true));
    }
    fields.extend(running::fields(&keys.running));
    if let Some(strict) = keys.strict {
        fields.push(quote!(strict: __tool::Option::Some(#strict)));
    }
    if let Some(mode) = keys.repair {
        let mode = format_ident!("{mode}");
        fields.push(quote!(repair: __tool::Option::Some(__tool::RepairMode::#mode)));
    }
    let annotations: Vec<TokenStream> = [
        ("read_only", keys.read_only),
        ("destructive", keys.destructive),
        ("idempotent", keys.idempotent),
        ("open_world", keys.open_world),
    ]
    .into_iter()
    .filter_map(|(name, value)| {
        let name = format_ident!("{name}");
        value.map(|value| quote!(.#name(#value)))
    })
    .collect();
    if !annotations.is_empty() {
        fields.push(quote!(annotations: __tool::Annotations::NONE #(#annotations)*));
    }
    if !keys.tags.is_empty() {
        let tags = &keys.tags;
        fields.push(quote!(tags: &[#(#tags),*]));
    }
    if !keys.meta.is_empty() {
        let entries = keys.meta.iter().map(|(key, value)| {
            let key = syn::ext::IdentExt::unraw(key).to_string();
            quote!(__tool::add_meta(__meta, #key, #value);)
        });
        fields.push(quote!(meta: __tool::Option::Some(|__meta| { #(#entries)* })));
    }
    if fields.is_empty() {
        quote!(&__tool::Options::DEFAULT)
    } else {
        quote!(&__tool::Options { #(#fields,)* ..__tool::Options::DEFAULT })
    }
}

fn input(tool: &Tool) -> TokenStream {
    if let Some(whole) = tool.inputs.iter().find_map(|input| match input {
        Input::Whole(whole) => Some(&whole.ty),
        _ => None,
    }) {
        let schema = quote_spanned!(place(whole)=> <#whole as __tool::ToolParameter>::schema);
        return quote!(__tool::Input::Whole(#schema));
    }
    let parameters = arguments(tool).map(|(index, argument)| {
        let name = &argument.name;
        let description = argument.docs.to_constant();
        let shape = shape(index, argument);
        let refine = refine(index, argument);
        quote! {
            __tool::Parameter {
                name: #name,
                description: #description,
                shape: #shape,
                refine: #refine,
            }
        }
    });
    quote!(__tool::Input::Parameters(&[#(#parameters),*]))
}

/// What a parameter's type is to a model, or the type that stands for it.
fn shape(index: usize, argument: &Argument) -> TokenStream {
    let ty = &argument.ty;
    let schema_type = argument.constraints.schema_type.as_ref();
    if schema_type.is_none() && argument.with.is_none() {
        return quote_spanned!(place(ty)=> <#ty as __tool::ToolParameter>::SHAPE);
    }
    let schema_type = schema_type.unwrap_or(ty);
    let taken = match argument.with {
        Some(_) => with_name(index).to_token_stream(),
        None => ty.to_token_stream(),
    };
    let schema = quote_spanned!(place(schema_type)=> __tool::schema_only::<#schema_type>);
    quote!(&__tool::Shape { schema: #schema, optional: __tool::is_optional::<#taken> })
}

fn arguments(tool: &Tool) -> impl Iterator<Item = (usize, &Argument)> {
    tool.inputs
        .iter()
        .filter_map(|input| match input {
            Input::Argument(argument) => Some(&**argument),
            _ => None,
        })
        .enumerate()
}

fn refine(index: usize, argument: &Argument) -> TokenStream {
    let ty = &argument.ty;
    let constraints = &argument.constraints.statements;
    let examples = argument.examples.iter().map(|example| {
        let value = typed(example);
        quote! {
            let __example: #ty = #value;
            __refinement.example(&__example);
        }
    });
    let default = argument.default.as_ref().map(|_| {
        let name = default_name(index);
        quote!(__refinement.default(&#name());)
    });
    let statements: TokenStream = constraints
        .iter()
        .cloned()
        .chain(default)
        .chain(examples)
        .collect();
    if statements.is_empty() {
        return quote!(__tool::Option::None);
    }
    quote!(__tool::Option::Some(|__refinement| { #statements }))
}

/// A default or an example. A string literal may stand for a `String`.
fn typed(value: &Expr) -> TokenStream {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => quote_spanned!(place(text)=> ::core::convert::Into::into(#text)),
        other => other.to_token_stream(),
    }
}

/// The wrapper that reads an argument by the module of `#[serde(with = "…")]`.
fn with_name(index: usize) -> Ident {
    format_ident!("__With{index}")
}

/// The function that gives a parameter's default.
fn default_name(index: usize) -> Ident {
    format_ident!("__default{index}")
}

/// The items of single parameters: defaults, and wrappers for `with`.
fn parameter_items(tool: &Tool) -> TokenStream {
    let mut items = TokenStream::new();
    for (index, argument) in arguments(tool) {
        let ty = &argument.ty;
        if let Some(default) = &argument.default {
            let name = default_name(index);
            let value = typed(default);
            items.extend(quote!(fn #name() -> #ty { #value }));
        }
        if let Some(with) = &argument.with {
            let name = with_name(index);
            items.extend(quote! {
                struct #name(#ty);
                impl<'de> __tool::serde::Deserialize<'de> for #name {
                    fn deserialize<D: __tool::serde::Deserializer<'de>>(
                        deserializer: D,
                    ) -> __tool::Result<Self, D::Error> {
                        __tool::Result::map(#with::deserialize(deserializer), Self)
                    }
                }
            });
        }
    }
    items
}

/// The function that takes the arguments and calls the user's function.
fn invoke(tool: &Tool, callee: &TokenStream) -> TokenStream {
    let mut takes = Vec::new();
    let mut passes = Vec::new();
    let mut next_argument = 0_usize;
    if let Some((owner, true)) = &tool.owner {
        takes.push(quote!(let __receiver = __call.receiver::<#owner>()?;));
        passes.push(quote!(&__receiver));
    }
    for (position, input) in tool.inputs.iter().enumerate() {
        let variable = format_ident!("__{position}");
        match input {
            Input::Argument(argument) => {
                takes.push(take(next_argument, argument, &variable));
                next_argument += 1;
                passes.push(quote!(#variable));
            }
            Input::Whole(whole) => {
                takes.push(take_whole(whole, &variable));
                passes.push(if whole.wrapped {
                    quote!(__tool::Args(#variable))
                } else {
                    quote!(#variable)
                });
            }
            Input::State(ty) => {
                takes.push(quote_spanned!(place(ty)=> let #variable = __call.state::<#ty>()?;));
                passes.push(quote!(&#variable));
            }
            Input::Context => {
                takes.push(quote!(let #variable = __call.context();));
                passes.push(quote!(&#variable));
            }
        }
    }
    let output = &tool.output;
    let call = quote!(#callee(#(#passes),*));
    // At the callee's span, so that a future that cannot move between
    // threads is reported at the function.
    let span = place(callee);
    let into_output = quote_spanned!(place(output)=> <#output as __tool::IntoOutput>::into_output);
    let work = if tool.is_async {
        quote_spanned!(span=> __tool::send(async move { #into_output(#call.await) }))
    } else {
        quote_spanned!(span=> __tool::blocking(move || #into_output(#call)))
    };
    quote! {
        fn __invoke(
            __call: &__tool::Invocation<'_>,
        ) -> __tool::Result<__tool::Work, __tool::Mismatch> {
            #(#takes)*
            __tool::Result::Ok(#work)
        }
    }
}

/// Takes one argument into a variable.
fn take(index: usize, argument: &Argument, variable: &Ident) -> TokenStream {
    let default = argument.default.as_ref().map(|_| default_name(index));
    if argument.with.is_some() {
        let with = with_name(index);
        return match default {
            Some(default) => quote! {
                let #variable = __call.argument_or::<#with>(#index, || #with(#default()))?.0;
            },
            None => quote!(let #variable = __call.argument::<#with>(#index)?.0;),
        };
    }
    let ty = &argument.ty;
    match default {
        Some(default) => quote_spanned! {place(ty)=>
            let #variable = <#ty as __tool::ToolParameter>::take_or(__call, #index, #default)?;
        },
        None => quote_spanned! {place(ty)=>
            let #variable = <#ty as __tool::ToolParameter>::take(__call, #index)?;
        },
    }
}

/// Takes all arguments into a variable.
fn take_whole(whole: &Whole, variable: &Ident) -> TokenStream {
    let ty = &whole.ty;
    quote_spanned! {place(ty)=>
        let #variable = <#ty as __tool::ToolParameter>::whole(__call)?;
    }
}

/// Attributes that add the parameters, as a list, to the function's own docs.
pub(crate) fn parameter_docs(tool: &Tool) -> TokenStream {
    let lines: Vec<String> = arguments(tool)
        .filter_map(|(_, argument)| {
            let text = argument.docs.text()?;
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(format!("* `{}` – {words}", argument.name))
        })
        .collect();
    if lines.is_empty() {
        return TokenStream::new();
    }
    let docs = format!("\n\n# Parameters\n\n{}", lines.join("\n"));
    let docs = syn::LitStr::new(&docs, Span::call_site());
    quote!(#[doc = #docs])
}
