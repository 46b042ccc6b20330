//! The binding type `http`: what a service answers as an input, a request to it as an output.
//!
//! A declaration, which may be a stranger's, never says where the service is or what proves who asks: that is a
//! connection of host.json ([`service`]), and no value leads out of it ([`base`]). [`declaration`] reads what is
//! declared, [`place`] finds path and headers for one call, [`input`] and [`output`] are what becomes of it.

mod base;
mod declaration;
mod headers;
mod input;
mod output;
mod place;
mod service;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use futures_util::future::join_all;

use self::{
    declaration::Declared, input::GetInput, output::SendOutput, place::Place, service::Service,
};
use super::{
    BindingType, Connections, DeclarationError, Finding, InputBinding, OutputBinding, Probe, Scope,
    expression::replace_settings, registry::SettingLookup,
};
use crate::{function::BindingDecl, nearest};

/// The binding type `http`.
#[derive(Debug)]
pub(super) struct Http {
    /// By the names of connections. None: it leads to something else.
    services: BTreeMap<String, Option<Arc<Service>>>,
    settings: Settings,
}

struct Settings(SettingLookup);

impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Settings")
    }
}

/// Whether what a connection leads to is spoken to over HTTP.
pub(super) fn is_service(url: &str) -> bool {
    let scheme = url.split_once("://").map(|(scheme, _)| scheme.trim_start());
    scheme
        .is_some_and(|scheme| ["http", "https"].iter().any(|own| scheme.eq_ignore_ascii_case(own)))
}

impl Http {
    /// Reads every connection that leads to a service, used or not, so that a mistake shows at the start.
    pub(super) fn new(connections: &Connections) -> Result<Self, DeclarationError> {
        let settings = |name: &str| (connections.settings)(name);
        let (mut services, mut client) = (BTreeMap::new(), None);
        for (name, url) in &connections.urls {
            let given = connections.headers.iter().find(|(own, _)| own == name);
            let headers = given.map_or(&[][..], |(_, headers)| headers.as_slice());
            // What cannot be read is told by those who read every connection.
            let replaced = replace_settings(url, &settings).ok();
            let Some(replaced) = replaced.filter(|replaced| is_service(replaced.text())) else {
                if let Some((header, _)) = headers.first() {
                    let reason = "is for a service only (expected an `https:` or `http:` url)";
                    return Err(service::header_fault(name, header, reason.to_owned()));
                }
                services.insert(name.clone(), None);
                continue;
            };
            let client = match &mut client {
                Some(client) => client,
                none => none.insert(service::client().map_err(|reason| {
                    DeclarationError::Connection { connection: name.clone(), reason }
                })?),
            };
            let service = Service::new(client.clone(), name, &replaced, headers, &settings)?;
            services.insert(name.clone(), Some(Arc::new(service)));
        }
        Ok(Self { services, settings: Settings(Arc::clone(&connections.settings)) })
    }

    /// The service of a connection. Settings are not looked at: there, a declaration could name any of them.
    fn service(&self, connection: &str) -> Result<Arc<Service>, DeclarationError> {
        let reason = match self.services.get(connection) {
            Some(Some(service)) => return Ok(Arc::clone(service)),
            Some(None) => "leads to storage (expected an `https:` or `http:` url)".to_owned(),
            None => {
                let services = self.services.iter().filter(|(_, service)| service.is_some());
                let hint = nearest::hint(connection, services.map(|(name, _)| name.as_str()));
                format!(
                    "does not exist{hint}: define it in `connections` of host.json, with its `url`"
                )
            }
        };
        Err(DeclarationError::Connection { connection: connection.to_owned(), reason })
    }

    fn place(
        &self,
        declaration: &BindingDecl,
        declared: &Declared,
        scope: &Scope<'_>,
    ) -> Result<Place, DeclarationError> {
        let service = self.service(&declared.connection)?;
        Place::new(service, declaration.origin, declared, &*self.settings.0, scope)
    }
}

#[async_trait]
impl BindingType for Http {
    fn name(&self) -> &'static str {
        "http"
    }

    fn input(
        &self,
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Box<dyn InputBinding>, DeclarationError> {
        let declared = Declared::input(declaration)?;
        let place = self.place(declaration, &declared, scope)?;
        Ok(Box::new(GetInput::new(place, &declared)))
    }

    fn output(
        &self,
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Box<dyn OutputBinding>, DeclarationError> {
        let declared = Declared::output(declaration)?;
        let place = self.place(declaration, &declared, scope)?;
        Ok(Box::new(SendOutput::new(place, declared)))
    }

    async fn probe(&self) -> Vec<Probe> {
        let services = self.services.values().flatten();
        join_all(services.map(async |service| Probe {
            connection: service.connection().to_owned(),
            kind: "http",
            place: service.place().to_owned(),
            findings: vec![Finding { at: "HEAD".to_owned(), found: service.probe().await }],
        }))
        .await
    }
}
